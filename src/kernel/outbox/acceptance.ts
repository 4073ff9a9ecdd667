import { type Clock, SECOND } from '../clock.ts';
import { hashToken } from '../crypto/vault.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { Ctx } from '../http/context.ts';
import { invalidField, Problem } from '../http/problem.ts';
import type { NewMessage, OutboxMessage } from './message.ts';
import type { Outbox } from './outbox.ts';
import { createStoring } from './storing.ts';

const LONGEST_WAIT_MS = 10 * SECOND;
const LONGEST_KEY = 255;

/** What a caller is told. The body is JSON. */
export interface Answer {
  status: number;
  body: unknown;
}

export interface Acceptance {
  /** Names the route for idempotency keys. */
  route: string;
  clientId: string;
  delivery: DeliveryWishes;
  /** Stands for the request's content, secrets left out; compared when a key comes again. */
  fingerprint: string;
  /** The rows of the message that is to be known as `messageId`. */
  compose(messageId: string): readonly NewMessage[];
  /** Writes what else the message needs, in the same transaction. May be repeated. */
  store?(trx: Transaction): Promise<void>;
  /** @param parts as they stand; empty when the caller did not want to wait */
  answer(messageId: string, parts: readonly OutboxMessage[]): Answer;
}

/** What the caller's headers ask for. */
export interface DeliveryWishes {
  idempotencyKey: string | null;
  /** `Prefer: respond-async` (RFC 7240 §4.1). */
  async: boolean;
}

/** @throws Problem 400 for an idempotency key that is too long */
export function readDeliveryWishes(c: Ctx): DeliveryWishes {
  const idempotencyKey = c.req.header('Idempotency-Key') ?? null;
  if (idempotencyKey !== null && (idempotencyKey === '' || idempotencyKey.length > LONGEST_KEY)) {
    throw invalidField('Idempotency-Key', `must have 1 to ${LONGEST_KEY} characters`);
  }
  const preferences = (c.req.header('Prefer') ?? '').split(',').map((preference) => preference.split(';', 1)[0]?.trim().toLowerCase());
  return { idempotencyKey, async: preferences.includes('respond-async') };
}

/** A stable text for `content`, whatever order its keys came in. */
export function fingerprintOf(content: unknown): string {
  const stable = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(stable)
      : value !== null && typeof value === 'object'
        ? Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, inner]) => [key, stable(inner)])
        : value;
  return hashToken(JSON.stringify(stable(content)) ?? '');
}

/**
 * Takes a message: stores it with its idempotency key in one transaction, then waits for the first attempt if the caller wants.
 * @throws Problem 409 `idempotency_conflict` when the key was used for other content
 */
export type Accept<Kind extends Acceptance = Acceptance> = (acceptance: Kind) => Promise<Answer>;

/** A message on its way into the outbox. */
export interface Arrival<Kind extends Acceptance = Acceptance> {
  messageId: string;
  acceptance: Kind;
}

/**
 * Looks at messages that are about to be stored, in their transaction. Those that it has an answer or a refusal for (by
 * message id) are not stored. May be repeated.
 */
export type Sift<Kind extends Acceptance> = (
  trx: Transaction,
  arrivals: readonly Arrival<Kind>[],
) => Promise<ReadonlyMap<string, Answer | Problem>>;

interface AcceptParts<Kind extends Acceptance> {
  database: Database;
  outbox: Outbox;
  clock: Clock;
  sift?: Sift<Kind>;
}

/** Messages that come while others are being stored are stored together, in one transaction. */
export function createAccept<Kind extends Acceptance = Acceptance>({ database, outbox, clock, sift }: AcceptParts<Kind>): Accept<Kind> {
  const store = createStoring({ database, outbox, clock, sift });
  return async (acceptance) => {
    const { delivery, fingerprint, answer } = acceptance;
    const { scope, messageId, outcome } = await store(acceptance);
    if (outcome instanceof Problem) throw outcome;
    if (outcome !== 'stored' && 'body' in outcome) return outcome;
    if (outcome !== 'stored') {
      if (outcome.fingerprint !== fingerprint) {
        throw new Problem('idempotency_conflict', 'This Idempotency-Key came before with another body.');
      }
      if (outcome.answer_status) return { status: outcome.answer_status, body: JSON.parse(outcome.answer_body ?? 'null') as unknown };
    }
    const known = outcome === 'stored' ? messageId : outcome.message_id;
    if (delivery.async) return answer(known, []);
    const given = answer(known, await outbox.firstAttempt(known, LONGEST_WAIT_MS));
    if (scope !== null) {
      await database.transaction((trx) =>
        trx
          .updateTable('idempotency_keys')
          .set({ answer_status: given.status, answer_body: JSON.stringify(given.body) })
          .where('scope', '=', scope)
          .where('answer_status', 'is', null)
          .execute(),
      );
    }
    return given;
  };
}

/** Forgets the keys that have run out. */
export async function sweepIdempotencyKeys(database: Database, clock: Clock): Promise<void> {
  await database.transaction((trx) => trx.deleteFrom('idempotency_keys').where('expires_at', '<', clock.now()).execute());
}
