import type { Selectable } from 'kysely';
import { type Clock, DAY } from '../clock.ts';
import { hashToken } from '../crypto/vault.ts';
import type { Database, Transaction } from '../database/database.ts';
import { Problem } from '../http/problem.ts';
import { newId } from '../ids.ts';
import { nextRound } from '../next-round.ts';
import type { IdempotencyKeysTable } from '../tables.ts';
import type { Acceptance, Answer, Arrival, Sift } from './acceptance.ts';
import type { NewMessage } from './message.ts';
import type { Outbox } from './outbox.ts';

const KEPT_MS = DAY;
const BATCH = 128;
/** So many rounds of the event loop a batch waits to become as large as the one before, while callers come together. */
const GATHER_ROUNDS = 4;

/** What became of a message: it is stored, its key came before, or it has an answer or a refusal without being stored. */
type Outcome = 'stored' | Selectable<IdempotencyKeysTable> | Answer | Problem;

export interface Stored {
  /** Under which its idempotency key is kept; null = it has none. */
  scope: string | null;
  messageId: string;
  outcome: Outcome;
}

interface Waiting<Kind extends Acceptance> extends Arrival<Kind> {
  scope: string | null;
  messages: readonly NewMessage[];
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

interface StoringParts<Kind extends Acceptance> {
  database: Database;
  outbox: Outbox;
  clock: Clock;
  sift?: Sift<Kind>;
}

/** Stores messages with their idempotency keys. What comes while a transaction runs goes into the next one together. */
export function createStoring<Kind extends Acceptance>({ database, outbox, clock, sift }: StoringParts<Kind>) {
  let waiting: Waiting<Kind>[] = [];
  let running = false;

  async function run(): Promise<void> {
    running = true;
    let earlier = 1;
    for (;;) {
      await nextRound();
      if (waiting.length === 0) break;
      for (let round = 1; round < GATHER_ROUNDS && waiting.length < earlier; round++) await nextRound();
      const batch = takeBatch();
      earlier = batch.length;
      try {
        await storeTogether(batch);
      } catch (error) {
        if (batch.length === 1) batch[0]?.reject(error);
        // One of them may be at fault, and the others must not suffer for it.
        else for (const each of batch) await storeTogether([each]).catch(each.reject);
      }
    }
    running = false;
  }

  /** Two with the same key are not stored together: the second has to see the first. */
  function takeBatch(): Waiting<Kind>[] {
    const scopes = new Set<string>();
    const batch: Waiting<Kind>[] = [];
    const later: Waiting<Kind>[] = [];
    for (const each of waiting) {
      const repeats = each.scope !== null && scopes.has(each.scope);
      if (each.scope !== null) scopes.add(each.scope);
      if (repeats || batch.length >= BATCH) later.push(each);
      else batch.push(each);
    }
    waiting = later;
    return batch;
  }

  async function storeTogether(batch: readonly Waiting<Kind>[]): Promise<void> {
    const outcomes = await database.transaction(async (trx) => {
      const found = await takeKeys(trx, batch);
      const fresh = batch.filter(({ scope }) => scope === null || !found.has(scope));
      const sifted = (await sift?.(trx, fresh)) ?? new Map<string, Answer | Problem>();
      await settleKeys(trx, fresh, sifted);
      const kept = fresh.filter(({ messageId }) => !sifted.has(messageId));
      await outbox.add(
        trx,
        kept.flatMap(({ messages }) => messages),
      );
      for (const { acceptance } of kept) await acceptance.store?.(trx);
      return batch.map(({ scope, messageId }): Outcome => (scope && found.get(scope)) || sifted.get(messageId) || 'stored');
    });
    const kinds = new Set<string>();
    for (const [index, { messages, resolve }] of batch.entries()) {
      const outcome = outcomes[index] ?? 'stored';
      resolve(outcome);
      if (outcome === 'stored') for (const { kind } of messages) kinds.add(kind);
    }
    for (const kind of kinds) outbox.wake(kind);
  }

  /** Takes the keys for those that come with one; gives what keys stand for that came before. */
  async function takeKeys(trx: Transaction, batch: readonly Waiting<Kind>[]): Promise<Map<string, Selectable<IdempotencyKeysTable>>> {
    const keyed = batch.flatMap((each) => (each.scope === null ? [] : [{ ...each, scope: each.scope }]));
    if (keyed.length === 0) return new Map();
    const now = clock.now();
    const scopes = keyed.map(({ scope }) => scope);
    await trx.deleteFrom('idempotency_keys').where('scope', 'in', scopes).where('expires_at', '<', now).execute();
    const taken = await trx
      .insertInto('idempotency_keys')
      .values(
        keyed.map(({ scope, messageId, acceptance }) => ({
          scope,
          fingerprint: acceptance.fingerprint,
          message_id: messageId,
          ...kept(acceptance.delivery.async ? acceptance.answer(messageId, []) : null),
          expires_at: now + KEPT_MS,
        })),
      )
      .onConflict((conflict) => conflict.column('scope').doNothing())
      .returning('scope')
      .execute();
    const own = new Set(taken.map(({ scope }) => scope));
    const others = scopes.filter((scope) => !own.has(scope));
    if (others.length === 0) return new Map();
    const found = await trx.selectFrom('idempotency_keys').selectAll().where('scope', 'in', others).execute();
    return new Map(found.map((row) => [row.scope, row]));
  }

  /** Only answers that were given after storing are kept: a refusal frees the key again. */
  async function settleKeys(trx: Transaction, fresh: readonly Waiting<Kind>[], sifted: ReadonlyMap<string, Answer | Problem>) {
    for (const { scope, messageId } of fresh) {
      const outcome = sifted.get(messageId);
      if (scope === null || !outcome) continue;
      if (outcome instanceof Problem) await trx.deleteFrom('idempotency_keys').where('scope', '=', scope).execute();
      else await trx.updateTable('idempotency_keys').set(kept(outcome)).where('scope', '=', scope).execute();
    }
  }

  return (acceptance: Kind): Promise<Stored> =>
    new Promise((resolve, reject) => {
      const { route, clientId, delivery } = acceptance;
      const scope = delivery.idempotencyKey === null ? null : hashToken([route, clientId, delivery.idempotencyKey].join('\n'));
      const messageId = newId();
      waiting.push({
        scope,
        messageId,
        acceptance,
        messages: acceptance.compose(messageId),
        resolve: (outcome) => resolve({ scope, messageId, outcome }),
        reject,
      });
      if (!running) void run();
    });
}

function kept(answer: Answer | null): { answer_status: number | null; answer_body: string | null } {
  return answer ? { answer_status: answer.status, answer_body: JSON.stringify(answer.body) } : { answer_status: null, answer_body: null };
}
