import type { Clock } from '../../kernel/clock.ts';
import { digestOf } from '../../kernel/crypto/digest.ts';
import { createRateLimit, type RateLimit } from '../../kernel/limits/rates.ts';
import { createTurns } from './turns.ts';

/**
 * Telegram's own limit (https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this): 30 messages
 * per second for a bot, one per second in a chat, 20 per minute in a group. Counts one message and returns 0, or counts
 * none and returns the ms to wait before the next call. Each token has its own limits. The messages before a restart
 * are unknown, and count as the maximum number.
 * @param waited true = the message has waited for these limits before
 */
export type TelegramLimit = (token: string, chatId: string, waited: boolean) => number;

const BOT_PER_SECOND = 20;

export function createTelegramLimit(clock: Clock): TelegramLimit {
  // Burst and refill together stay within the limit of any window.
  const bot = createRateLimit({ burst: 10, perMinute: BOT_PER_SECOND * 60, clock, startsEmpty: true });
  const chat = createRateLimit({ burst: 1, perMinute: 60, clock, startsEmpty: true });
  const group = createRateLimit({ burst: 5, perMinute: 15, clock, startsEmpty: true });
  // Thousands of chats may wait for a bot. A chat needs no turns: the outbox attempts only its first message.
  const turns = createTurns(clock);
  return (token, chatId, waited) => {
    // The number before the colon is public: anyone could use up the limits of its bot with a forged token.
    const botKey = digestOf(token);
    const key = `${botKey} ${chatId}`;
    const ofChat: RateLimit[] = isGroup(chatId) ? [chat, group] : [chat];
    // Nothing is taken from one limit while another still blocks the message.
    const wait = Math.max(...ofChat.map((limit) => limit.waitFor(key)));
    if (wait > 0) return wait;
    const botWait = bot.waitFor(botKey);
    if (botWait > 0 || (!waited && turns.ahead(botKey)))
      return turns.next(botKey, botWait, 1_000 / BOT_PER_SECOND);
    bot.take(botKey);
    for (const limit of ofChat) limit.take(key);
    return 0;
  };
}

/** Groups, supergroups and channels have negative ids; a name is a channel's or a supergroup's. */
function isGroup(chatId: string): boolean {
  return chatId.startsWith('-') || chatId.startsWith('@');
}
