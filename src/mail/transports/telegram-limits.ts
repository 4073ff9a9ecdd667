import type { Clock } from '../../kernel/clock.ts';
import { createRateLimit, type RateLimit } from '../../kernel/limits/rates.ts';
import { createTurns } from '../../kernel/limits/turns.ts';

/**
 * Telegram's own limits (https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this): 30 a second for a bot, one
 * a second in a chat, 20 a minute in a group. What was sent before a restart is not known and counts as all that could be.
 */
export interface TelegramLimits {
  /**
   * Takes one message; gives 0, or for how many ms to wait before asking again.
   * @param waited it was told so before
   */
  take(token: string, chatId: string, waited: boolean): number;
}

const BOT_PER_SECOND = 20;

export function createTelegramLimits(clock: Clock): TelegramLimits {
  // Burst and refill together stay within what any one window may hold.
  const bot = createRateLimit({ burst: 10, perMinute: BOT_PER_SECOND * 60, clock, startsEmpty: true });
  const chat = createRateLimit({ burst: 1, perMinute: 60, clock, startsEmpty: true });
  const group = createRateLimit({ burst: 5, perMinute: 15, clock, startsEmpty: true });
  // A bot may have thousands of chats waiting; in each the outbox lets only the first go, so that it needs no turns.
  const turns = createTurns(clock);
  return {
    take(token, chatId, waited) {
      const botId = token.slice(0, token.indexOf(':'));
      const key = `${botId} ${chatId}`;
      const ofChat: RateLimit[] = isGroup(chatId) ? [chat, group] : [chat];
      // Nothing is taken of one limit while another still holds the message back.
      const wait = Math.max(...ofChat.map((limit) => limit.waitFor(key)));
      if (wait > 0) return wait;
      const botWait = bot.waitFor(botId);
      if (botWait > 0 || (!waited && turns.ahead(botId))) return turns.next(botId, botWait, 1_000 / BOT_PER_SECOND);
      bot.take(botId);
      for (const limit of ofChat) limit.take(key);
      return 0;
    },
  };
}

/** Groups, supergroups and channels have negative ids; a name is a channel's or a supergroup's. */
function isGroup(chatId: string): boolean {
  return chatId.startsWith('-') || chatId.startsWith('@');
}
