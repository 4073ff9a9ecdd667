import { isoTime } from '../../kernel/clock.ts';
import { digestOf, equalInConstantTime } from '../../kernel/crypto/digest.ts';
import type { Auth } from '../../kernel/http/auth.ts';
import { json } from '../../kernel/http/bodies/request-body.ts';
import type { App } from '../../kernel/http/context.ts';
import { allowPages } from '../../kernel/http/cors.ts';
import { deliveryOptions } from '../../kernel/http/delivery-headers.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { guid } from '../../kernel/http/params.ts';
import type { Attempts } from '../../kernel/limits/attempts.ts';
import { messageStatus } from '../../kernel/outbox/message-status.ts';
import type { Outbox } from '../../kernel/outbox/outbox.ts';
import { notFound, Problem } from '../../kernel/problem.ts';
import type { Reach } from '../access/reach.ts';
import { requireOpen, type Target, type Targets } from '../directory/targets.ts';
import { CHAT } from '../sending/payload.ts';
import { type Send, waitingFor } from '../sending/send.ts';
import {
  chatMessageSchema,
  chatSendBody,
  checkHeaders,
  reachSchema,
  sendHeaders,
  sendResponses,
  targetBody,
} from './schemas.ts';

interface SendRoutesDeps {
  anonymous: Auth<null>;
  targets: Targets;
  send: Send;
  reach: Reach;
  outbox: Outbox;
  attempts: Attempts;
  /** Origins whose pages may send. */
  corsOrigins: readonly string[];
}

const SEND = '/api/chatbot/sendmessage';
const CAN_SEND = '/api/chatbot/canSendMessage';
const MESSAGES = '/api/chatbot/messages';
const unknownTarget = ['unknown_client', 'unknown_guild', 'unknown_channel'] as const;

/** Mounts the endpoints that send a message, check whether it would be sent, and read its state. */
export function mountSend(app: App, deps: SendRoutesDeps): void {
  allowPages(app, {
    paths: [SEND, CAN_SEND, `${MESSAGES}/:id`],
    methods: ['GET', 'POST'],
    headers: Object.keys(sendHeaders.shape),
    allows: (origin) => deps.corsOrigins.includes(origin),
  });
  sendMessage(app, deps);
  canSendMessage(app, deps);
  getStatus(app, deps);
}

function sendMessage(app: App, { anonymous, targets, send, attempts }: SendRoutesDeps): void {
  endpoint(app, {
    method: 'post',
    path: SEND,
    operation: 'sendChatMessage',
    summary: 'Send a message to a chat channel',
    tags: ['chat'],
    auth: anonymous,
    headers: sendHeaders,
    body: json(chatSendBody),
    responses: sendResponses('Sent, or folded into an equal earlier message.'),
    problems: [
      ...unknownTarget,
      'relay_key_required',
      'too_many_attempts',
      'target_disabled',
      'target_paused',
      'idempotency_conflict',
      'platform_rejected',
    ],
    async handler({ c, headers, body: { clientId, guildId, channelId, ...sending }, reply }) {
      const target = await targets.find({ clientId, guildId, channelId });
      await requireRelayKey(target, headers['X-Relay-Key'], () => attempts.failFrom(c.env.address));
      requireOpen(target);
      const { status, body } = await send(target, sending, deliveryOptions(headers));
      return reply(status, body, status === 202 ? { Location: `${MESSAGES}/${body.id}` } : {});
    },
  });
}

function canSendMessage(app: App, { anonymous, targets, reach, attempts }: SendRoutesDeps): void {
  endpoint(app, {
    method: 'post',
    path: CAN_SEND,
    operation: 'canSendChatMessage',
    summary: 'Check whether a message to a chat channel would be sent',
    tags: ['chat'],
    auth: anonymous,
    headers: checkHeaders,
    body: json(targetBody),
    responses: {
      200: {
        description: 'The result from the platform and the settings here, cached for a minute.',
        schema: reachSchema,
      },
    },
    problems: [...unknownTarget, 'relay_key_required', 'too_many_attempts'],
    async handler({ c, headers, body }) {
      const target = await targets.find(body);
      await requireRelayKey(target, headers['X-Relay-Key'], () => attempts.failFrom(c.env.address));
      return await reach.check(target);
    },
  });
}

/** Returns the state of a message, without its text, to anyone who has its id. */
function getStatus(app: App, { anonymous, outbox }: SendRoutesDeps): void {
  endpoint(app, {
    method: 'get',
    path: `${MESSAGES}/{id}`,
    operation: 'getChatMessage',
    summary: 'Get the delivery state of a chat message',
    tags: ['chat'],
    auth: anonymous,
    params: { id: guid },
    responses: {
      200: {
        description: 'The status. `attempts` is the largest number of attempts for one post.',
        schema: chatMessageSchema,
      },
    },
    async handler({ c, params: { id } }) {
      await c.env.giveWay();
      const posts = (await outbox.statesOf([id])).get(id) ?? [];
      const [first] = posts;
      if (first?.kind !== CHAT) throw notFound();
      return {
        id: first.messageId,
        status: messageStatus(posts),
        attempts: Math.max(...posts.map(({ attempts }) => attempts)),
        dateCreated: isoTime(first.dateCreated),
        ...waitingFor(posts),
        ...(first.sandbox ? { sandbox: true as const } : {}),
      };
    },
  });
}

/**
 * @param fail counts a wrong key
 * @throws Problem 401 `relay_key_required` when the client has a relay key and `key` differs from it
 */
async function requireRelayKey(
  { client: { relayKeyHash } }: Target,
  key: string | undefined,
  fail: () => Promise<void>,
): Promise<void> {
  if (relayKeyHash === null || equalInConstantTime(digestOf(key ?? ''), relayKeyHash)) return;
  if (key !== undefined) await fail();
  throw new Problem('relay_key_required', 'Send the relay key of this client in the header X-Relay-Key.');
}
