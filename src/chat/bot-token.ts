import type { Vault } from '../kernel/crypto/vault.ts';
import { invalidField } from '../kernel/problem.ts';
import type { Bot, Platform } from './platform.ts';

export const BOT_TOKEN_PURPOSE = 'chat bot token';

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
