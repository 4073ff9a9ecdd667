import { MINUTE } from '../kernel/clock.ts';
import { equalInConstantTime, hashToken } from '../kernel/crypto/vault.ts';
import { limitKey } from '../kernel/http/address.ts';
import { Problem } from '../kernel/http/problem.ts';
import { isId } from '../kernel/ids.ts';
import type { Attempts } from '../kernel/limits/attempts.ts';
import type { Client, Clients, MailService } from './clients.ts';

/**
 * Says which client a ClientId and ClientSecret belong to.
 * @param address the caller's, for the count of wrong attempts
 * @throws Problem 401 `bad_client` for unknown, wrong and disabled alike; 429 `too_many_attempts`
 */
export type Authenticate = (clientId: string, clientSecret: string, address: string) => Promise<Client>;

const WRONG_ALLOWED = 20;
const WINDOW_MS = 15 * MINUTE;
/** The hash of no secret, so that an unknown client costs as much work as a known one. */
const NO_HASH = hashToken('');

export function createAuthenticate({ clients, attempts }: { clients: Clients; attempts: Attempts }): Authenticate {
  return async (clientId, clientSecret, address) => {
    const id = clientId.trim().toLowerCase();
    const known = isId(id);
    // What is no id is counted together: else every made-up text would leave a row behind.
    const rules = [{ scope: `mail:${known ? id : 'none'}:${limitKey(address)}`, limit: WRONG_ALLOWED, windowMs: WINDOW_MS }];
    const [found] = await Promise.all([known ? clients.findWithHashes(id) : null, attempts.check(rules)]);
    const given = hashToken(clientSecret);
    const [first = NO_HASH, second = NO_HASH] = found?.hashes ?? [];
    const right = [equalInConstantTime(given, first), equalInConstantTime(given, second)].includes(true);
    if (found?.client.enabled && right && clientSecret !== '') return found.client;
    await attempts.fail(rules);
    throw new Problem('bad_client', 'ClientId or ClientSecret is wrong, or the client is switched off.');
  };
}

/** @throws Problem 403 `service_not_allowed` */
export function requireService(client: Client, service: MailService): void {
  if (client.services.includes(service)) return;
  throw new Problem('service_not_allowed', `This client may not use ${service}; it may use ${client.services.join(', ') || 'nothing'}.`);
}
