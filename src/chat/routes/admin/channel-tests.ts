import { z } from '@hono/zod-openapi';
import type { Guard } from '../../../identity/guard.ts';
import { json } from '../../../kernel/http/bodies/request-body.ts';
import type { App } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import type { Reach } from '../../access/reach.ts';
import { unknown } from '../../directory/records.ts';
import { requireOpen, type Target, type Targets } from '../../directory/targets.ts';
import type { Send } from '../../sending/send.ts';
import { reachSchema, sendResponses } from '../schemas.ts';
import { ofRecord } from './shared.ts';

interface ChannelTestDeps {
  targets: Targets;
  send: Send;
  reach: Reach;
  guard: Guard;
}

const testBody = z.object({ message: z.string().min(1).max(2000).default('A test message from Posthouse.') });

/** Endpoints that check whether messages reach a channel. */
export function mountChannelTests(app: App, deps: ChannelTestDeps): void {
  const { targets, send, reach } = deps;
  const shared = ofRecord(deps);

  async function findTarget(channelId: string): Promise<Target> {
    const target = await targets.ofChannel(channelId);
    if (!target) throw unknown('channel');
    return target;
  }

  endpoint(app, {
    ...shared,
    method: 'post',
    path: '/api/admin/chat/channels/{id}/check',
    operation: 'checkChatChannel',
    summary: 'Check whether a message would be sent',
    responses: {
      200: {
        description: 'The result from the platform alone. Pauses and disabled records are ignored.',
        schema: reachSchema,
      },
    },
    problems: ['unknown_channel'],
    handler: async ({ params: { id } }) => reach.checkNow(await findTarget(id)),
  });

  endpoint(app, {
    ...shared,
    method: 'post',
    path: '/api/admin/chat/channels/{id}/test',
    operation: 'testChatChannel',
    summary: 'Send a test message to a chat channel',
    body: json(testBody),
    responses: sendResponses('Sent.'),
    problems: ['unknown_channel', 'target_disabled', 'target_paused', 'rate_limited', 'platform_rejected'],
    async handler({ c, params: { id }, body: { message }, reply }) {
      const target = await findTarget(id);
      requireOpen(target);
      // A unique key prevents a test from being folded into an earlier one.
      const sending = { title: '', message, dedupeKey: `test ${c.env.requestId}` };
      const { status, body } = await send(target, sending, { idempotencyKey: null, async: false });
      return reply(status, body);
    },
  });
}
