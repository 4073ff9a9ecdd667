import { type Clock, DAY, SECOND } from '../clock.ts';
import { hashToken } from '../crypto/vault.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { Ctx } from '../http/context.ts';
import { invalidField, Problem } from '../http/problem.ts';
import { newId } from '../ids.ts';
import type { NewMessage, OutboxMessage } from './message.ts';
import type { Outbox } from './outbox.ts';

const KEPT_MS = DAY;
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
export type Accept = (acceptance: Acceptance) => Promise<Answer>;

export function createAccept({ database, outbox, clock }: { database: Database; outbox: Outbox; clock: Clock }): Accept {
  /** Takes the key for `messageId`, or gives what it already stands for. */
  async function takeKey(trx: Transaction, scope: string, fingerprint: string, messageId: string) {
    const now = clock.now();
    await trx.deleteFrom('idempotency_keys').where('scope', '=', scope).where('expires_at', '<', now).execute();
    const taken = await trx
      .insertInto('idempotency_keys')
      .values({ scope, fingerprint, message_id: messageId, expires_at: now + KEPT_MS })
      .onConflict((conflict) => conflict.column('scope').doNothing())
      .returning('scope')
      .executeTakeFirst();
    return taken ? null : await trx.selectFrom('idempotency_keys').selectAll().where('scope', '=', scope).executeTakeFirstOrThrow();
  }

  return async ({ route, clientId, delivery, fingerprint, compose, answer }) => {
    const scope = delivery.idempotencyKey === null ? null : hashToken([route, clientId, delivery.idempotencyKey].join('\n'));
    const fresh = newId();
    const messages = compose(fresh);
    const earlier = await database.transaction(async (trx) => {
      const found = scope === null ? null : await takeKey(trx, scope, fingerprint, fresh);
      if (!found) await outbox.add(trx, messages);
      return found;
    });
    if (earlier && earlier.fingerprint !== fingerprint) {
      throw new Problem('idempotency_conflict', 'This Idempotency-Key came before with another body.');
    }
    if (earlier?.answer_status) return { status: earlier.answer_status, body: JSON.parse(earlier.answer_body ?? 'null') as unknown };

    if (!earlier) for (const kind of new Set(messages.map((message) => message.kind))) outbox.wake(kind);
    const messageId = earlier?.message_id ?? fresh;
    const given = answer(messageId, delivery.async ? [] : await outbox.firstAttempt(messageId, LONGEST_WAIT_MS));
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
