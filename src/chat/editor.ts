import { Routes } from 'discord-api-types/v10';
import { type Clock, SECOND } from '../kernel/clock.ts';
import { type Delivery, isFinal, type Transport } from '../kernel/outbox/message.ts';
import type { Outbox } from '../kernel/outbox/outbox.ts';
import { withCount } from './compose.ts';
import { CHAT_EDIT, type EditPayload, type Folding } from './folding.ts';
import type { Caller, ChatPayload, ChatResult } from './sender.ts';
import type { Targets } from './targets.ts';

interface EditorParts {
  caller: Caller;
  targets: Targets;
  folding: Folding;
  outbox: Outbox;
  clock: Clock;
}

const CONCURRENCY = 8;

/** Edits the first message so that it ends in the count of its repeats. */
export function createEditor({ caller, targets, folding, outbox, clock }: EditorParts): Transport {
  const nothingToDo = (why: string): Delivery => ({ outcome: 'sent', result: { skipped: why } });
  return {
    kind: CHAT_EDIT,
    concurrency: CONCURRENCY,
    about: (payload) => ({ title: 'The count of repeats', to: [(payload as EditPayload).channelId] }),
    async deliver(message, signal) {
      const { messageId, channelId } = message.payload as EditPayload;
      const parts = await outbox.parts(messageId);
      const last = parts.at(-1);
      if (!last) return nothingToDo('the message is forgotten');
      if (!parts.every(({ status }) => isFinal(status))) {
        return { outcome: 'held', reason: 'The message itself is not sent yet.', untilMs: clock.now() + SECOND };
      }
      if (last.status !== 'sent') return nothingToDo('the message was not sent');
      const target = await targets.ofChannel(channelId);
      if (!target) return nothingToDo('the channel was deleted');
      const count = await folding.takeCount(messageId);
      if (count === null) return nothingToDo('the count is forgotten');
      const { post } = last.payload as ChatPayload;
      const { platformMessageId } = last.result as ChatResult;
      const route = Routes.channelMessage(target.channel.platformId, platformMessageId ?? message.messageId) as `/${string}`;
      return await caller.call(target, { method: 'PATCH', route, body: withCount(post, count) }, message.sandbox, signal);
    },
  };
}
