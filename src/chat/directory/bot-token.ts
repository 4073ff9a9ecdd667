import { SECOND } from '../../kernel/clock.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import { invalidField } from '../../kernel/problem.ts';
import type { Bot, Platform } from '../platform/platform.ts';
import { PlatformError } from '../platform/platform-errors.ts';
import { tokenFault } from './names.ts';

export const BOT_TOKEN_PURPOSE = 'chat bot token';
/** Time limit of the check of an entered token. */
const CHECK_MS = 5 * SECOND;

/** Returns a bot's token encrypted for storage. @param token null = sandbox @throws Problem 400 that names `token` */
export function sealBotToken(vault: Vault, clientId: string, token: string | null): string | null {
  if (token === null) return null;
  const fault = tokenFault(token);
  if (fault) throw invalidField('token', fault);
  return vault.seal(BOT_TOKEN_PURPOSE, clientId, token);
}

/** Returns the bot of a client. @param sealedToken result of `sealBotToken` */
export type Bots = (clientId: string, sealedToken: string) => Bot;

export function createBots(vault: Vault, platform: Platform): Bots {
  return (clientId, sealedToken) => platform(vault.open(BOT_TOKEN_PURPOSE, clientId, sealedToken));
}

/** View Channel, Send Messages, Embed Links, Send Messages in Threads. */
const INVITED_PERMISSIONS = 274_877_926_400;

/**
 * Returns the URL at which people add the bot to a guild; null unless the token begins with an application's id in
 * base64, as Discord's tokens do.
 */
export function inviteUrlOf(vault: Vault, clientId: string, sealedToken: string | null): string | null {
  if (sealedToken === null) return null;
  const [head = ''] = vault.open(BOT_TOKEN_PURPOSE, clientId, sealedToken).split('.');
  const id = Buffer.from(head, 'base64').toString('latin1');
  if (!/^\d{17,20}$/.test(id)) return null;
  return `https://discord.com/oauth2/authorize?client_id=${id}&scope=bot&permissions=${INVITED_PERMISSIONS}`;
}

/**
 * Checks an entered token with the platform. `tokenChecked` is false when the platform did not respond; it is
 * absent without a token.
 * @throws Problem 400 that names `token` when the platform refuses it
 */
export type CheckToken = (token: string | null | undefined) => Promise<{ tokenChecked?: boolean }>;

export function createTokenCheck(platform: Platform): CheckToken {
  return async (token) => {
    if (!token) return {};
    try {
      await platform(token).call('GET', '/users/@me', { signal: AbortSignal.timeout(CHECK_MS) });
      return { tokenChecked: true };
    } catch (error) {
      if (error instanceof PlatformError && error.failure.kind === 'unauthorized')
        throw invalidField(
          'token',
          'was refused by the platform. At Discord, copy it from the Developer Portal: Bot, Reset Token',
        );
      return { tokenChecked: false };
    }
  };
}
