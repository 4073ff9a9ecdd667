import { readJson } from '../../kernel/http/body.ts';
import type { App, Ctx } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { readDeliveryWishes } from '../../kernel/outbox/acceptance.ts';
import type { Reach } from '../reach.ts';
import type { Send } from '../send.ts';
import { requireOpen, type Targets } from '../targets.ts';
import type { Callers } from './callers.ts';
import { callerHeaders, reachAnswer, sendAnswer, sendBody, targetBody } from './schemas.ts';

interface SendRoutesParts {
  callers: Callers;
  targets: Targets;
  send: Send;
  reach: Reach;
}

export const SEND = '/api/chatbot/sendmessage';
export const CAN_SEND = '/api/chatbot/canSendMessage';

/** Sending, and whether it would work. */
export function mountSend(app: App, { callers, targets, send, reach }: SendRoutesParts): void {
  endpoint(
    app,
    'post',
    SEND,
    {
      summary: 'Send a message into a chat channel',
      tags: ['chat'],
      headers: callerHeaders,
      body: { 'application/json': sendBody },
      answers: {
        200: { description: 'Sent, or folded into an earlier message that it repeats.', schema: sendAnswer },
        202: { description: 'Stored; it will be sent as soon as the platform takes it.', schema: sendAnswer },
      },
      problems: [
        'invalid_request',
        'relay_key_required',
        'unknown_client',
        'unknown_guild',
        'unknown_channel',
        'target_disabled',
        'target_paused',
        'idempotency_conflict',
        'body_too_large',
        'unsupported_media_type',
        'rate_limited',
        'platform_rejected',
      ],
    },
    async (c: Ctx) => {
      callers.requireCalm(c);
      const { clientId, guildId, channelId, ...sending } = await readJson(c, sendBody);
      const delivery = readDeliveryWishes(c);
      const target = await targets.find({ clientId, guildId, channelId });
      callers.requireRelayKey(c, target);
      requireOpen(target);
      const { status, body } = await send(target, sending, delivery);
      return c.json(body, status);
    },
  );

  endpoint(
    app,
    'post',
    CAN_SEND,
    {
      summary: 'Would a message to this channel be sent?',
      tags: ['chat'],
      headers: callerHeaders.pick({ 'X-Relay-Key': true }),
      body: { 'application/json': targetBody },
      answers: { 200: { description: 'What the platform and our own settings say, remembered for a minute.', schema: reachAnswer } },
      problems: [
        'invalid_request',
        'relay_key_required',
        'unknown_client',
        'unknown_guild',
        'unknown_channel',
        'body_too_large',
        'unsupported_media_type',
        'rate_limited',
      ],
    },
    async (c: Ctx) => {
      callers.requireCalm(c);
      const target = await targets.find(await readJson(c, targetBody));
      callers.requireRelayKey(c, target);
      return c.json(await reach.check(target));
    },
  );
}
