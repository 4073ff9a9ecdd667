import type { Clock } from '../../kernel/clock.ts';
import type { Ctx } from '../../kernel/http/context.ts';
import { limitKey } from '../../kernel/ip.ts';
import { createRateLimit } from '../../kernel/limits/rates.ts';
import { Problem, tooMany } from '../../kernel/problem.ts';
import type { Client } from '../clients.ts';
import { type Visitor, visitorOf } from '../compose/system-info.ts';

/** Rules for the visitors that send contact forms. */
export interface Visitors {
  /**
   * Returns the visitor behind a request.
   * @param reported `SystemInfo` of the request
   * @throws Problem 403 `cross_site_request` for a page of an origin that the client excludes, 429 `rate_limited`
   */
  admit(c: Ctx, client: Client, reported: Record<string, unknown> | undefined): Visitor;
}

interface VisitorsDeps {
  clock: Clock;
  /** Origins whose pages may use every client. */
  origins: readonly string[];
}

export function createVisitors({ clock, origins }: VisitorsDeps): Visitors {
  const visitors = createRateLimit({ burst: 20, perMinute: 2, clock });
  const peers = createRateLimit({ burst: 200, perMinute: 60, clock });

  /** Programs send no origin; pages must belong to one of the client's origins, if it has any. */
  function requireOrigin(origin: string | undefined, client: Client): void {
    if (origin === undefined || client.origins.length === 0) return;
    if ([...client.origins, ...origins].includes(origin)) return;
    throw new Problem('cross_site_request', 'Pages of this origin may not use this client.');
  }

  /** Counts the address of the visitor, and that of the peer too, since a back end could make up visitors. */
  function limit(client: Client, peer: string, visitor: Visitor): void {
    const wait =
      peers.take(`${client.id} ${limitKey(peer)}`) ||
      visitors.take(`${client.id} ${limitKey(visitor.address)}`);
    if (wait > 0)
      throw tooMany('rate_limited', 'Too many messages from one address. Wait before the next.', wait);
  }

  return {
    admit(c, client, reported) {
      requireOrigin(c.req.header('Origin'), client);
      const peer = c.get('address');
      const visitor = visitorOf(
        {
          address: peer,
          userAgent: c.req.header('User-Agent') ?? null,
          language: c.req.header('Accept-Language') ?? null,
          referrer: c.req.header('Referer') ?? null,
        },
        reported,
      );
      limit(client, peer, visitor);
      return visitor;
    },
  };
}
