import { SECOND } from '../kernel/clock.ts';
import type { Vault } from '../kernel/crypto/vault.ts';
import { invalidField } from '../kernel/problem.ts';
import type { Bot, Platform } from './platform.ts';
import { PlatformError } from './platform-errors.ts';

export const BOT_TOKEN_PURPOSE = 'chat bot token';
/** Time that the platform has to answer when a token is entered. */
const CHECK_MS = 5 * SECOND;

/** @param token null = sandbox @throws Problem 400 that names `token` */
export function sealBotToken(vault: Vault, clientId: string, token: string | null): string | null {
  if (token === null) return null;
  // The token becomes a header value, in which a line break would begin another header.
  if (!/^[\x21-\x7e]{1,200}$/.test(token))
    throw invalidField('token', 'must be the bot’s token: letters, digits and dots');
  return vault.seal(BOT_TOKEN_PURPOSE, clientId, token);
}

/** Returns the bot of a client, whose token `sealBotToken` has sealed. */
export type Bots = (clientId: string, sealedToken: string) => Bot;

export function createBots(vault: Vault, platform: Platform): Bots {
  return (clientId, sealedToken) => platform(vault.open(BOT_TOKEN_PURPOSE, clientId, sealedToken));
}

/** @throws Problem 400 that names `token` when the platform refuses it. A platform in trouble refuses none. */
export type RequireValidToken = (token: string | null | undefined) => Promise<void>;

export function createTokenCheck(platform: Platform): RequireValidToken {
  return async (token) => {
    if (!token) return;
    try {
      await platform(token).call('GET', '/users/@me', { signal: AbortSignal.timeout(CHECK_MS) });
    } catch (error) {
      if (error instanceof PlatformError && error.trouble.kind === 'unauthorized')
        throw invalidField(
          'token',
          'was refused by Discord. Copy it from the Developer Portal: Bot, Reset Token',
        );
    }
  };
}
