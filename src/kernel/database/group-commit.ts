import { CompiledQuery } from 'kysely';
import { nextRound } from '../next-round.ts';
import type { Transaction } from './database.ts';

interface Waiting {
  /** Runs the work inside the open transaction. */
  run(trx: Transaction): Promise<void>;
  /** Tells the caller how its work ended, once the transaction is committed. */
  committed(): void;
  failed(error: unknown): void;
}

interface Parts {
  /** Opens a transaction, runs `work` in it and commits. */
  transaction(work: (trx: Transaction) => Promise<void>): Promise<void>;
  /** False once the database has rolled the open transaction back by itself. */
  isOpen(): boolean;
}

/** More would make the first of a group wait too long. */
const GROUP = 64;

/** @param patienceMs how long the work may wait for others, to share their commit rather than cost one of its own */
type Transact = <Result>(work: (trx: Transaction) => Promise<Result>, patienceMs?: number) => Promise<Result>;

/**
 * Runs transactions one after the other, those that come while one runs together in one, so that they share its commit,
 * which is what durability costs: a sync of the disk. Each keeps what makes it one, by a savepoint: it sees what those before it
 * wrote, its failure undoes its own writes alone, and nobody is told of a success before the commit.
 */
export function createGroupCommit({ transaction, isOpen }: Parts): Transact {
  const waiting: Waiting[] = [];
  /** Those that let others go first, but go with them. */
  const patient = new Set<Waiting>();
  let running = false;

  async function runGroups(): Promise<void> {
    running = true;
    for (;;) {
      await nextRound();
      const first = waiting.shift();
      if (!first) break;
      waiting.push(...patient);
      patient.clear();
      const group = [first];
      const endings: (() => void)[] = [];
      try {
        await transaction(async (trx) => {
          // Alone in the transaction, the first needs no savepoint: when it fails, all of it is undone.
          await first.run(trx);
          endings.push(first.committed);
          group.push(...waiting.splice(0, GROUP - 1));
          // More may come while one of the group runs.
          for (let index = 1; index < group.length; index++) {
            const work = group[index];
            if (work) endings.push(await runOne(trx, work));
            if (group.length < GROUP) group.push(...waiting.splice(0, GROUP - group.length));
          }
        });
        for (const end of endings) end();
      } catch (error) {
        for (const { failed } of group) failed(error);
      }
    }
    running = false;
  }

  async function runOne(trx: Transaction, work: Waiting): Promise<() => void> {
    await trx.executeQuery(SAVEPOINT);
    try {
      await work.run(trx);
      await trx.executeQuery(RELEASE);
      return work.committed;
    } catch (error) {
      // A full disk, for one, ends the whole transaction; what the group wrote before is gone as well.
      if (!isOpen()) throw error;
      await trx.executeQuery(ROLLBACK);
      await trx.executeQuery(RELEASE);
      return () => work.failed(error);
    }
  }

  function enter(work: Waiting): void {
    waiting.push(work);
    if (!running) void runGroups();
  }

  return (work, patienceMs = 0) =>
    new Promise((resolve, reject) => {
      let given: Awaited<ReturnType<typeof work>>;
      const entering: Waiting = {
        run: async (trx) => {
          given = await work(trx);
        },
        committed: () => resolve(given),
        failed: reject,
      };
      if (patienceMs === 0) return enter(entering);
      patient.add(entering);
      setTimeout(() => {
        if (patient.delete(entering)) enter(entering);
      }, patienceMs);
    });
}

const SAVEPOINT = CompiledQuery.raw('savepoint one');
const ROLLBACK = CompiledQuery.raw('rollback to one');
const RELEASE = CompiledQuery.raw('release one');
