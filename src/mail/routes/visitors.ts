import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Ctx } from '../../kernel/http/context.ts';
import { limitKey } from '../../kernel/ip.ts';
import { Problem, tooMany } from '../../kernel/problem.ts';
import { createAddressRates } from '../address-rates.ts';
import type { Client } from '../clients/clients.ts';
import { type Visitor, visitorOf } from '../compose/system-info.ts';

/** Rules for the visitors that send contact forms. */
export interface Visitors {
  /**
   * Returns the visitor behind a request.
   * @param reported `SystemInfo` of the request
   * @throws Problem 403 `cross_site_request` for a page of an origin that the client excludes, 429 `rate_limited`
   */
  admit(c: Ctx, client: Client, reported: Record<string, unknown> | undefined): Promise<Visitor>;
  /** Deletes the counts of addresses that have sent nothing for a while. */
  sweep(): Promise<void>;
}

interface VisitorsDeps {
  database: Database;
  clock: Clock;
  /** Origins whose pages may use every client. */
  origins: readonly string[];
}

export function createVisitors({ database, clock, origins }: VisitorsDeps): Visitors {
  const visitors = createAddressRates({ database, clock, name: 'visitor', burst: 20, perMinute: 2 });
  const peers = createAddressRates({ database, clock, name: 'peer', burst: 200, perMinute: 60 });

  /** Programs send no origin; pages must belong to one of the client's origins. */
  function requireOrigin(origin: string | undefined, client: Client): void {
    if (origin === undefined || [...client.origins, ...origins].includes(origin)) return;
    const detail =
      client.origins.length === 0
        ? 'This client has no allowed origins, so only programs may use it.'
        : 'Pages of this origin may not use this client.';
    throw new Problem('cross_site_request', detail);
  }

  /**
   * Counts the addresses of the visitor and of the peer, since a caller can invent visitors. A visitor is counted for
   * each peer that reports it, so that nobody uses up the limit of another address.
   */
  async function limit(client: Client, peer: string, visitor: Visitor): Promise<void> {
    const keys = new Set([peer, visitor.address].map(limitKey));
    const wait =
      (await peers.take(`${client.id} ${limitKey(peer)}`)) ||
      (await visitors.take([client.id, ...keys].join(' ')));
    if (wait > 0)
      throw tooMany(
        'rate_limited',
        'Too many messages from this address. Wait before you send another one.',
        wait,
      );
  }

  return {
    async admit(c, client, reported) {
      requireOrigin(c.req.header('Origin'), client);
      const peer = c.env.address;
      const visitor = visitorOf(
        {
          address: peer,
          userAgent: c.req.header('User-Agent') ?? null,
          language: c.req.header('Accept-Language') ?? null,
          referrer: c.req.header('Referer') ?? null,
        },
        reported,
      );
      await limit(client, peer, visitor);
      return visitor;
    },
    async sweep() {
      await peers.sweep();
      await visitors.sweep();
    },
  };
}
