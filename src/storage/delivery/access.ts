import { createCache } from '../../kernel/cache.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Passwords } from '../../kernel/crypto/passwords.ts';
import { equalInConstantTime, type Vault } from '../../kernel/crypto/vault.ts';
import type { Database, Reader } from '../../kernel/database/database.ts';
import { limitKey } from '../../kernel/ip.ts';
import type { AttemptRule, Attempts } from '../../kernel/limits/attempts.ts';
import { createKeyedQueue } from '../../kernel/limits/keyed-queue.ts';
import { notFound, Problem } from '../../kernel/problem.ts';
import { fromRow, type StoredFile } from '../tree/file.ts';
import { ACCESS_KEY_PURPOSE } from '../tree/files.ts';
import { isRooted } from '../tree/subtree.ts';
import { attemptRules } from './attempts.ts';
import { createPasses, PASS_MS } from './passes.ts';

/** The identification of a file in a public request. */
export type FileLink = { by: 'directToken' | 'uiToken' | 'id'; value: string };

/** The secrets of a public request. */
export interface PresentedSecrets {
  /** The client's address. */
  address: string;
  accessKey: string | null;
  filePassword: string | null;
  /** A pass from `passFor`; null = none. */
  pass: string | null;
}

/** A file that the visitor may read. */
export interface Opened {
  file: StoredFile;
  /** True = a key, password or pass was required; caches on the way must not store the answer. */
  secretUsed: boolean;
}

/** The secrets that a file requires. */
export interface RequiredSecrets {
  key: boolean;
  password: boolean;
}

export interface Access {
  /**
   * Returns the file if the visitor may read it. Every public route to bytes, thumbnails or metadata decides here.
   * Costs one read when no secret is required.
   * @throws Problem 404 `not_found`, 410 `link_expired`, 429 `too_many_attempts`, 403 `access_key_required`,
   *   `access_key_wrong`, `file_password_required`, `file_password_wrong`
   */
  open(link: FileLink, presented: PresentedSecrets): Promise<Opened>;
  /** Returns which secrets are required, without checking any. @throws Problem 404, 410 */
  requirements(link: FileLink): Promise<{ file: StoredFile; required: RequiredSecrets }>;
  /** Returns a pass to an opened file, valid for `PASS_MS` and until its secrets change. */
  passFor(file: StoredFile): string;
}

/** Passwords of one address and file that wait. */
const WAITING_EACH = 100;

interface AccessDeps {
  database: Database;
  vault: Vault;
  clock: Clock;
  attempts: Attempts;
  passwords: Passwords;
}

const PROOFS_KEPT = 10_000;

type Verdict = 'right' | 'missing' | 'wrong';

export function createAccess(deps: AccessDeps): Access {
  const { database, vault, clock, attempts } = deps;
  const find = createFinder(database);
  const passes = createPasses({ vault, clock });
  const requirePassword = createPasswordCheck(deps);

  async function requirements(link: FileLink): Promise<{ file: StoredFile; required: RequiredSecrets }> {
    const file = await find(link);
    const hasKey = file.accessKey !== null;
    // Private files, and access by id, require a key: a file without one is not reachable that way.
    if (!hasKey && (file.visibility === 0 || link.by === 'id')) throw notFound();
    if (file.expiresAt !== null && file.expiresAt <= clock.now())
      throw new Problem('link_expired', 'The link to this file has expired.');
    return { file, required: { key: hasKey, password: file.passwordHash !== null } };
  }

  function checkKey(file: StoredFile, given: string | null): Verdict {
    if (given === null || given === '') return 'missing';
    return equalInConstantTime(vault.open(ACCESS_KEY_PURPOSE, file.id, file.accessKey ?? ''), given)
      ? 'right'
      : 'wrong';
  }

  return {
    requirements,
    async open(link, presented) {
      const { file, required } = await requirements(link);
      if (!required.key && !required.password) return { file, secretUsed: false };
      if (passes.isValid(file, presented.pass)) return { file, secretUsed: true };
      const rules = attemptRules(file.id, presented.address);
      await attempts.check(rules);
      const key = required.key ? checkKey(file, presented.accessKey) : 'right';
      if (key === 'wrong') await attempts.failFrom(presented.address, rules);
      if (key !== 'right') throw refusal('access_key', key);
      const password = required.password ? await requirePassword(file, presented, rules) : 'right';
      if (password !== 'right') throw refusal('file_password', password);
      return { file, secretUsed: true };
    },
    passFor: passes.create,
  };
}

function createFinder(database: Database): (link: FileLink) => Promise<StoredFile> {
  const lookups = {
    directToken: prepareLookup(database, 'direct_token'),
    uiToken: prepareLookup(database, 'ui_token'),
    id: prepareLookup(database, 'id'),
  } satisfies Record<FileLink['by'], unknown>;
  return async ({ by, value }) => {
    // No id or token contains other characters, and PostgreSQL cannot hold some of them.
    if (!/^[\w-]+$/.test(value)) throw notFound();
    const [row] = await lookups[by](database.read, { value });
    if (!row) throw notFound();
    // Its row may be on its way to the trash with a folder above it.
    if (row.moving_tree_id !== null && !(await isRooted(database.read, row.folder_id))) throw notFound();
    return fromRow(row);
  };
}

/** Returns a check of passwords that hashes each right one once in `PASS_MS`. */
function createPasswordCheck({ vault, clock, attempts, passwords }: AccessDeps) {
  const inTurn = createKeyedQueue(WAITING_EACH);
  /** Signatures of verified passwords, which are not hashed again. */
  const proofs = createCache<true>({ max: PROOFS_KEPT, expiry: { ttlMs: PASS_MS, clock } });

  /**
   * @param rules checked before each hash; the passwords of one address are hashed one after another, since
   * parallel ones are guesses
   */
  return async (
    file: StoredFile,
    { filePassword: given, address }: PresentedSecrets,
    rules: readonly AttemptRule[],
  ): Promise<Verdict> => {
    if (given === null || given === '') return 'missing';
    const proof = vault.sign('proven file password', `${file.id} ${file.passwordHash} ${given}`);
    if (proofs.has(proof)) return 'right';
    const isRight = await inTurn(rules[0]?.scope ?? '', async () => {
      await attempts.check(rules);
      const right = await passwords.verify(given, file.passwordHash, limitKey(address));
      if (!right) await attempts.failFrom(address, rules);
      return right;
    });
    if (!isRight) return 'wrong';
    proofs.set(proof, true);
    return 'right';
  };
}

function prepareLookup(database: Database, column: 'direct_token' | 'ui_token' | 'id') {
  return database.prepare((reader: Reader, { value }: { value: string }) =>
    reader
      .selectFrom('files')
      .innerJoin('workspaces', 'workspaces.id', 'files.workspace_id')
      .selectAll('files')
      .select('workspaces.moving_tree_id')
      .where(`files.${column}`, '=', value)
      .where('files.deleted_at', 'is', null)
      .where('workspaces.date_deleted', 'is', null),
  );
}

function refusal(secret: 'access_key' | 'file_password', how: 'missing' | 'wrong'): Problem {
  const name = secret === 'access_key' ? 'access key' : 'password';
  return how === 'missing'
    ? new Problem(`${secret}_required`, `This file requires its ${name}.`)
    : new Problem(`${secret}_wrong`, `The ${name} of this file is wrong.`);
}
