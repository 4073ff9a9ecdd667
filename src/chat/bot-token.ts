import { SECOND } from '../kernel/clock.ts';
import type { Vault } from '../kernel/crypto/vault.ts';
import { invalidField } from '../kernel/problem.ts';
import { tokenFault } from './names.ts';
import type { Bot, Platform } from './platform.ts';
import { PlatformError } from './platform-errors.ts';

export const BOT_TOKEN_PURPOSE = 'chat bot token';
/** Time that the platform has to answer when a token is entered. */
const CHECK_MS = 5 * SECOND;

/** @param token null = sandbox @throws Problem 400 that names `token` */
export function sealBotToken(vault: Vault, clientId: string, token: string | null): string | null {
  if (token === null) return null;
  const fault = tokenFault(token);
  if (fault) throw invalidField('token', fault);
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
          'was refused by the platform. At Discord, copy it from the Developer Portal: Bot, Reset Token',
        );
    }
  };
}
