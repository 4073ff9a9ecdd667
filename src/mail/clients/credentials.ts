import { MINUTE } from '../../kernel/clock.ts';
import { digestOf, equalInConstantTime } from '../../kernel/crypto/digest.ts';
import { isId } from '../../kernel/ids.ts';
import { limitKey } from '../../kernel/ip.ts';
import type { Attempts } from '../../kernel/limits/attempts.ts';
import { Problem } from '../../kernel/problem.ts';
import type { MailService } from './client-settings.ts';
import type { Client, Clients } from './clients.ts';

/**
 * Returns the client of a ClientId and ClientSecret.
 * @param address the caller's, under which wrong attempts are counted
 * @throws Problem 401 `bad_client` for an unknown, wrong or disabled client; 429 `too_many_attempts`
 */
export type Authenticate = (clientId: string, clientSecret: string, address: string) => Promise<Client>;

const WRONG_ALLOWED = 20;
const WINDOW_MS = 15 * MINUTE;
/** A hash that no secret has, so that an unknown client costs as much work as a known one. */
const NO_HASH = digestOf('');

export function createAuthenticate(clients: Clients, attempts: Attempts): Authenticate {
  return async (clientId, clientSecret, address) => {
    const id = clientId.trim().toLowerCase();
    const known = isId(id);
    // Unknown ids are counted as known ones are, so that the responses do not reveal which exist.
    const scope = `mail:${known ? id : 'none'}:${limitKey(address)}`;
    const rules = [{ scope, limit: WRONG_ALLOWED, windowMs: WINDOW_MS }];
    const found = known ? await clients.findWithHashes(id) : null;
    const given = digestOf(clientSecret);
    const [first = NO_HASH, second = NO_HASH] = found?.hashes ?? [];
    const right = [equalInConstantTime(given, first), equalInConstantTime(given, second)].includes(true);
    if (found?.client.enabled && right && clientSecret !== '') return found.client;
    await attempts.failFrom(address, rules);
    throw new Problem('bad_client', 'ClientId or ClientSecret is wrong, or the client is disabled.');
  };
}

/** @throws Problem 403 `service_not_allowed` */
export function requireService(client: Client, service: MailService): void {
  if (client.services.includes(service)) return;
  throw new Problem(
    'service_not_allowed',
    `This client may not use ${service}; it may use ${client.services.join(', ') || 'nothing'}.`,
  );
}
