import type { Clock } from '../../kernel/clock.ts';
import { createRateLimit, type RateLimit } from '../../kernel/limits/rates.ts';

/**
 * Telegram's own limits (https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this): 30 a second for a bot, one
 * a second in a chat, 20 a minute in a group.
 */
export interface TelegramLimits {
  /** Takes one message; gives 0, or for how many ms to wait before asking again. */
  take(token: string, chatId: string): number;
}

export function createTelegramLimits(clock: Clock): TelegramLimits {
  // Burst and refill together stay within what any one window may hold.
  const bot = createRateLimit({ burst: 10, perMinute: 20 * 60, clock });
  const chat = createRateLimit({ burst: 1, perMinute: 60, clock });
  const group = createRateLimit({ burst: 5, perMinute: 15, clock });
  return {
    take(token, chatId) {
      const botId = token.slice(0, token.indexOf(':'));
      const key = `${botId} ${chatId}`;
      const limits: [RateLimit, string][] = [
        [chat, key],
        [bot, botId],
      ];
      if (isGroup(chatId)) limits.push([group, key]);
      // Nothing is taken of one limit while another still holds the message back.
      const wait = Math.max(...limits.map(([limit, of]) => limit.waitFor(of)));
      if (wait === 0) for (const [limit, of] of limits) limit.take(of);
      return wait;
    },
  };
}

/** Groups, supergroups and channels have negative ids; a name is a channel's or a supergroup's. */
function isGroup(chatId: string): boolean {
  return chatId.startsWith('-') || chatId.startsWith('@');
}
