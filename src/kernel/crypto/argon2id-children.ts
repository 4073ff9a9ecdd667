import { availableParallelism } from 'node:os';
import { MINUTE, SECOND } from '../clock.ts';
import { createCompute } from '../compute/compute.ts';
import type { Log } from '../log.ts';
import { Problem } from '../problem.ts';
import { programFile } from '../program-files.ts';
import { ARGON2ID_COST, type Argon2id, type Argon2idCost } from './argon2id.ts';
import type { PasswordJob } from './argon2id-child.ts';

/** Maximum CPU time of one hash, ms: many times the usual. */
const HASH_MS = 2 * SECOND;
const LARGEST_RESULT = 4_096;
const MAX_CHILDREN = 4;

interface ChildrenDeps {
  log: Log;
  /** Number of processes of the server, which share the cores. */
  processes?: number;
  /** Cost of new hashes. */
  cost?: Argon2idCost | undefined;
  /** Maximum number of hashes computed at once. The default leaves a core to each process of the server. */
  children?: number;
}

/**
 * Computes in child processes, with a low priority under load, so that password guessing delays nothing else.
 * Owners take turns. All methods throw Problem 429 `rate_limited` or 503 `unavailable` when too many wait.
 */
export interface Argon2idChildren extends Argon2id {
  stop(): void;
}

export function createArgon2idChildren({
  log,
  processes = 1,
  cost = ARGON2ID_COST,
  children = Math.max(1, Math.min(MAX_CHILDREN, Math.floor(availableParallelism() / processes) - 1)),
}: ChildrenDeps): Argon2idChildren {
  const compute = createCompute({
    name: 'passwords',
    log,
    program: programFile('kernel/crypto/argon2id-child'),
    args: [String(cost.memoryCost), String(cost.timeCost)],
    children,
    ms: HASH_MS,
    output: LARGEST_RESULT,
    waiting: 500,
    waitingEach: 50,
    waitMs: MINUTE,
    killed: () =>
      new Problem('unavailable', 'The server cannot check passwords at the moment.', {
        retryAfterMs: SECOND,
      }),
  });

  const run = async (owner: string, job: PasswordJob) => (await compute.run(owner, { value: job })).value;

  return {
    hash: async (password, owner) => String(await run(owner, { password })),
    verify: async (password, hash, owner) => (await run(owner, { password, hash })) === true,
    stop: compute.stop,
  };
}
