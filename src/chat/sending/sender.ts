import { Routes } from 'discord-api-types/rest/v10';
import { digestOf } from '../../kernel/crypto/digest.ts';
import type { Database } from '../../kernel/database/database.ts';
import { type Claimed, refused, type Transport } from '../../kernel/outbox/message.ts';
import type { Outbox } from '../../kernel/outbox/outbox.ts';
import type { Targets } from '../directory/targets.ts';
import type { CallPlatform } from '../platform/calls.ts';
import { CHAT, type ChatPayload } from './payload.ts';

/** Length of the text that lists show for a message without a title. */
const TITLE_LENGTH = 120;
const SENDER_CONCURRENCY = 32;

interface SenderDeps {
  call: CallPlatform;
  targets: Targets;
  database: Database;
  outbox: Outbox;
}

/** Sends posts. When one is refused permanently, those after it are cancelled: they would make no sense alone. */
export function createSender({ call, targets, database, outbox }: SenderDeps): Transport {
  return {
    kind: CHAT,
    concurrency: SENDER_CONCURRENCY,
    // The platform recognizes repeats by their nonces.
    inRuns: true,
    about(payload) {
      const { channelId, post } = payload as ChatPayload;
      const [embed] = post.embeds;
      return { title: embed?.title ?? embed?.description?.slice(0, TITLE_LENGTH) ?? '', to: [channelId] };
    },
    async deliver(message, signal) {
      const { channelId, post } = message.payload as ChatPayload;
      const target = await targets.ofChannel(channelId);
      const body = { ...post, nonce: nonceOf(message), enforce_nonce: true };
      const delivery = target
        ? await call(
            target,
            { method: 'POST', route: Routes.channelMessages(target.channel.platformId), body },
            message.sandbox,
            signal,
          )
        : refused('unknown_channel', 'The channel was deleted.');
      if (delivery.outcome === 'refused')
        await database.transaction((trx) => outbox.cancel(trx, message.messageId));
      return delivery;
    },
  };
}

/**
 * Returns the nonce of a post: the same for every attempt, so that the platform responds to a repeated post with the
 * existing message. Of its 25 characters at most, 22 are the message id and up to 2 the post's number. The last one is
 * derived from an earlier result, if any, so that a post that an administrator resends is a new message.
 */
function nonceOf({ messageId, part, result }: Pick<Claimed, 'messageId' | 'part' | 'result'>): string {
  const id = Buffer.from(messageId.replaceAll('-', ''), 'hex').toString('base64url');
  return `${id}${part.toString(36)}${result === null ? '' : digestOf(JSON.stringify(result))[0]}`;
}
