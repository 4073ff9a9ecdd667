import { cors } from 'hono/cors';
import { equalInConstantTime, hashToken } from '../../kernel/crypto/vault.ts';
import { limitKey } from '../../kernel/http/address.ts';
import type { App, Ctx } from '../../kernel/http/context.ts';
import { Problem, tooMany } from '../../kernel/http/problem.ts';
import type { RateLimit } from '../../kernel/limits/rates.ts';
import type { Target } from '../targets.ts';

/** What is asked of anonymous callers. */
export interface Callers {
  /** Comes before any look-up. @throws Problem 429 `rate_limited` */
  requireCalm(c: Ctx): void;
  /** @throws Problem 401 `relay_key_required` when the client asks for a key and this is not it */
  requireRelayKey(c: Ctx, target: Target): void;
}

export function createCallers(addresses: RateLimit): Callers {
  return {
    requireCalm(c) {
      const wait = addresses.take(limitKey(c.get('address')));
      if (wait > 0) throw tooMany('rate_limited', 'Too many requests from this address.', wait);
    },
    requireRelayKey(c, { client }) {
      if (client.relayKeyHash === null) return;
      const given = c.req.header('X-Relay-Key') ?? '';
      if (!equalInConstantTime(hashToken(given), client.relayKeyHash)) {
        throw new Problem('relay_key_required', 'This client’s messages need its relay key in the header X-Relay-Key.');
      }
    },
  };
}

/** Lets the pages of `origins` call `paths`. */
export function allowOrigins(app: App, origins: readonly string[], paths: readonly string[]): void {
  if (origins.length === 0) return;
  for (const path of paths) {
    app.use(
      path,
      cors({
        origin: [...origins],
        allowMethods: ['POST'],
        allowHeaders: ['Content-Type', 'Idempotency-Key', 'Prefer', 'X-Relay-Key'],
        exposeHeaders: ['Retry-After', 'X-Request-Id'],
        maxAge: 600,
      }),
    );
  }
}
