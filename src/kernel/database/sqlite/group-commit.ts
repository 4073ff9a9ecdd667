import { CompiledQuery } from 'kysely';
import { nextRound } from '../../event-loop/next-round.ts';
import { createPause } from '../../event-loop/pause.ts';
import { type Callers, inThisContext } from '../../limits/callers.ts';
import { createRoundRobin } from '../../limits/round-robin.ts';
import type { Transact } from '../after-commit.ts';
import type { Transaction } from '../database.ts';
import type { WritePace } from './write-pace.ts';

interface Entry {
  /** Runs the work inside the open transaction. */
  run(trx: Transaction): Promise<void>;
  committed(): void;
  /** Resolves the caller's promise. Called when the commit is on the disk. */
  durable(): void;
  failed(error: unknown): void;
}

interface GroupCommitDeps {
  /** Begins a transaction, runs `work` in it and commits. */
  transaction(work: (trx: Transaction) => Promise<void>): Promise<void>;
  /** Resolves when all that was committed before the call is on the disk. */
  sync(): Promise<void>;
  /** Reports whether the transaction is still open: the database may have rolled it back. */
  isOpen(): boolean;
  /** Callers take turns. */
  caller: Callers['current'];
  pace: WritePace;
  /** Milliseconds, from `performance.now()`. */
  now?(): number;
}

/**
 * Time after which a group accepts no more transactions: a group blocks the event loop, and its first caller waits for
 * the others.
 */
const MAX_GROUP_MS = 5;
/** Interval at which waiting owners are checked again. */
const PAUSE_MS = 1;

/**
 * Runs transactions one after the other and commits concurrent ones together. Savepoints keep them atomic: each sees
 * the writes of those before it, and a failure undoes its own writes only. Success is reported when the commit is on
 * the disk. Later transactions run meanwhile; they depend on it, and their own sync covers it.
 */
export function createGroupCommit({
  transaction,
  sync,
  isOpen,
  caller,
  pace,
  now = () => performance.now(),
}: GroupCommitDeps): Transact {
  const queue = createRoundRobin<Entry>();
  let running = false;
  const pause = createPause();
  const start = inThisContext(runGroups);

  async function runGroups(): Promise<void> {
    running = true;
    for (;;) {
      // Requests that arrived together join the group.
      await nextRound();
      const first = queue.take(pace.mayRun);
      if (first) await runGroup(first);
      else if (queue.size > 0) await pause.wait(PAUSE_MS);
      else break;
    }
    running = false;
  }

  async function runGroup(first: Entry): Promise<void> {
    const group = [first];
    const failures = new Map<Entry, unknown>();
    let hasBegun = false;
    try {
      await transaction(async (trx) => {
        hasBegun = true;
        const began = now();
        // The first needs no savepoint: when it fails, nothing else has been written yet.
        await first.run(trx);
        while (now() - began < MAX_GROUP_MS) {
          const entry = queue.take(pace.mayRun);
          if (!entry) break;
          group.push(entry);
          await runInSavepoint(trx, entry, failures);
        }
      });
      for (const entry of group) if (!failures.has(entry)) entry.committed();
      void reportSynced(group, failures);
    } catch (error) {
      // Those that arrived during a long wait for the lock would each wait as long again.
      if (!hasBegun) for (let entry = queue.take(); entry; entry = queue.take()) group.push(entry);
      for (const { failed } of group) failed(error);
    }
  }

  async function reportSynced(group: readonly Entry[], failures: ReadonlyMap<Entry, unknown>): Promise<void> {
    try {
      await sync();
      for (const entry of group) {
        if (failures.has(entry)) entry.failed(failures.get(entry));
        else entry.durable();
      }
    } catch (error) {
      for (const { failed } of group) failed(error);
    }
  }

  async function runInSavepoint(
    trx: Transaction,
    entry: Entry,
    failures: Map<Entry, unknown>,
  ): Promise<void> {
    await trx.executeQuery(SAVEPOINT);
    try {
      await entry.run(trx);
    } catch (error) {
      // Some errors, such as a full disk, end the whole transaction, including the writes of the other entries.
      if (!isOpen()) throw error;
      await trx.executeQuery(ROLLBACK);
      failures.set(entry, error);
    }
    await trx.executeQuery(RELEASE);
  }

  return (work, committed) =>
    new Promise((resolve, reject) => {
      let result: Awaited<ReturnType<typeof work>>;
      const owner = caller();
      queue.add(owner, {
        run: async (trx) => {
          const began = now();
          result = await work(trx).finally(() => pace.charge(owner, now() - began));
        },
        committed,
        durable: () => resolve(result),
        failed: reject,
      });
      if (running) pause.end();
      else void start();
    });
}

const SAVEPOINT = CompiledQuery.raw('savepoint entry');
const ROLLBACK = CompiledQuery.raw('rollback to entry');
const RELEASE = CompiledQuery.raw('release entry');
