import { type Clock, SECOND } from '../clock.ts';
import type { Database, Transaction } from '../database/database.ts';
import { throwUnlessUnavailable } from '../errors/unavailable.ts';
import { newIdAt } from '../ids.ts';
import { Problem } from '../problem.ts';
import type { Acceptance, Answer, Arrival, Screen } from './acceptance.ts';
import { createBatcher } from './batcher.ts';
import { createIdempotencyKeys, type IdempotencyKeys, scopeOf, type TakenKey } from './idempotency.ts';
import type { NewMessage } from './message.ts';
import type { Outbox } from './outbox.ts';

/** Maximum time from the arrival of a message to its response, including the transaction. */
const MAX_WAIT_MS = 10 * SECOND;

/**
 * Accepts a message: stores it with its idempotency key in one transaction, then waits for the first attempt unless the
 * caller requested an immediate response.
 * @throws Problem 409 `idempotency_conflict` when the key was used for other content
 */
export type Accept<Kind extends Acceptance = Acceptance> = (acceptance: Kind) => Promise<Answer>;

interface AcceptDeps<Kind extends Acceptance> {
  database: Database;
  outbox: Outbox;
  /** The database's clock: message ids sort by the time of acceptance on any node. */
  clock: Clock;
  screen?: Screen<Kind>;
  /** Milliseconds, from `performance.now()`. */
  now?(): number;
}

/** Messages that arrive while others are being stored share the next transaction. */
export function createAccept<Kind extends Acceptance = Acceptance>(deps: AcceptDeps<Kind>): Accept<Kind> {
  const { database, outbox, clock, now = () => performance.now() } = deps;
  const keys = createIdempotencyKeys(database);
  const store = createBatcher({
    run: createStore({ ...deps, keys }),
    keyOf: ({ scope }: Incoming<Kind>) => scope,
    sizeOf: ({ messages }) => messages.length,
  });
  return async (acceptance) => {
    const until = now() + MAX_WAIT_MS;
    const { delivery, fingerprint, answer } = acceptance;
    const arrival = { messageId: newIdAt(clock.now()), acceptance };
    const scope = scopeOf(acceptance);
    const outcome = await store({ ...arrival, scope, messages: acceptance.compose(arrival.messageId) });
    if (outcome.kind === 'screened') return orThrow(outcome.result);
    if (outcome.kind === 'repeated') {
      if (outcome.first.fingerprint !== fingerprint) {
        throw new Problem('idempotency_conflict', 'This Idempotency-Key was used with another body.');
      }
      if (outcome.first.answer) return outcome.first.answer;
    }
    const messageId = outcome.kind === 'repeated' ? outcome.first.messageId : arrival.messageId;
    if (delivery.async) return answer(messageId, null);
    const attempted = await outbox.firstAttempt(messageId, Math.max(0, until - now()));
    const result = answer(messageId, attempted);
    // If this fails, a repeat waits for the first attempt again, so the stored message does not fail.
    if (scope !== null)
      await database
        .transaction((trx) => keys.answer(trx, scope, result, false))
        .catch(throwUnlessUnavailable);
    return result;
  };
}

interface Incoming<Kind extends Acceptance> extends Arrival<Kind> {
  /** Scope of its idempotency key; null = it has none. */
  scope: string | null;
  messages: readonly NewMessage[];
}

type Outcome =
  | { kind: 'stored' }
  /** Its idempotency key was used before. */
  | { kind: 'repeated'; first: TakenKey }
  | { kind: 'screened'; result: Answer | Problem };

interface StoreDeps<Kind extends Acceptance> extends AcceptDeps<Kind> {
  keys: IdempotencyKeys;
}

/** Returns a function that stores messages in one transaction and wakes their transports. */
function createStore<Kind extends Acceptance>({ database, outbox, screen, keys }: StoreDeps<Kind>) {
  async function takeKeys(
    trx: Transaction,
    batch: readonly Incoming<Kind>[],
  ): Promise<Map<string, TakenKey>> {
    const keyed = batch.flatMap(({ scope, messageId, acceptance }) => {
      if (scope === null) return [];
      const { fingerprint, delivery, answer } = acceptance;
      return [{ scope, fingerprint, messageId, answer: delivery.async ? answer(messageId, null) : null }];
    });
    return await keys.take(trx, keyed);
  }

  /** Screens messages; a problem releases the key, so that the caller may try again with it. */
  async function screened(trx: Transaction, fresh: readonly Incoming<Kind>[]) {
    const results = (await screen?.(trx, fresh)) ?? new Map<string, Answer | Problem>();
    for (const { scope, messageId } of fresh) {
      const result = results.get(messageId);
      if (scope === null || !result) continue;
      if (result instanceof Problem) await keys.release(trx, scope);
      else await keys.answer(trx, scope, result, true);
    }
    return results;
  }

  async function storeAll(trx: Transaction, batch: readonly Incoming<Kind>[]): Promise<Outcome[]> {
    const taken = await takeKeys(trx, batch);
    const fresh = batch.filter(({ scope }) => scope === null || !taken.has(scope));
    const results = await screened(trx, fresh);
    const admitted = fresh.filter(({ messageId }) => !results.has(messageId));
    const added = admitted.flatMap(({ messages }) => messages);
    await outbox.add(trx, added);
    // The rows need not be durable yet: deliveries begin only when their claim is durable, which is later.
    database.afterCommit(trx, () => {
      for (const kind of new Set(added.map(({ kind }) => kind))) outbox.wake(kind);
    });
    for (const { acceptance } of admitted) await acceptance.store?.(trx);
    return batch.map(({ scope, messageId }): Outcome => {
      const first = scope === null ? undefined : taken.get(scope);
      if (first) return { kind: 'repeated', first };
      const result = results.get(messageId);
      return result ? { kind: 'screened', result } : { kind: 'stored' };
    });
  }

  return (batch: readonly Incoming<Kind>[]): Promise<Outcome[]> =>
    database.transaction((trx) => storeAll(trx, batch));
}

function orThrow(result: Answer | Problem): Answer {
  if (result instanceof Problem) throw result;
  return result;
}
