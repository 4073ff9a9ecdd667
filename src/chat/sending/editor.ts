import { Routes } from 'discord-api-types/rest/v10';
import { SECOND } from '../../kernel/clock.ts';
import { type Delivery, held, type Transport } from '../../kernel/outbox/message.ts';
import { isFinal } from '../../kernel/outbox/message-status.ts';
import type { Outbox } from '../../kernel/outbox/outbox.ts';
import { withCount } from '../compose/compose.ts';
import type { Targets } from '../directory/targets.ts';
import type { CallPlatform } from '../platform/calls.ts';
import { CHAT_EDIT, type EditPayload, type Folding } from './folding.ts';
import type { ChatPayload, ChatResult } from './payload.ts';

interface EditorDeps {
  call: CallPlatform;
  targets: Targets;
  folding: Folding;
  outbox: Outbox;
}

const EDITOR_CONCURRENCY = 8;

/** Edits sent messages to show the counts of their repeats. */
export function createEditor({ call, targets, folding, outbox }: EditorDeps): Transport {
  const skipped = (why: string): Delivery => ({ outcome: 'sent', result: { skipped: why } });
  return {
    kind: CHAT_EDIT,
    concurrency: EDITOR_CONCURRENCY,
    about: (payload) => ({ title: 'The count of repeats', to: [(payload as EditPayload).channelId] }),
    async deliver(message, signal) {
      const { messageId, channelId } = message.payload as EditPayload;
      const parts = (await outbox.statesOf([messageId])).get(messageId) ?? [];
      const last = await outbox.part(messageId, parts.length - 1);
      if (!last) return skipped('the message is no longer kept');
      if (!parts.every(({ status }) => isFinal(status))) {
        return held('The message itself has not been sent yet.', SECOND);
      }
      if (last.status !== 'sent') return skipped('the message was not sent');
      const target = await targets.ofChannel(channelId);
      if (!target) return skipped('the channel was deleted');
      const count = await folding.takeCount(messageId);
      if (count === null) return skipped('the count is no longer kept');
      const { post } = last.payload as ChatPayload;
      const { platformMessageId } = last.result as ChatResult;
      const route = Routes.channelMessage(target.channel.platformId, platformMessageId ?? message.messageId);
      const edit = { method: 'PATCH', route, body: withCount(post, count) } as const;
      return await call(target, edit, message.sandbox, signal);
    },
  };
}
