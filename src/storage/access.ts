import type { CompiledQuery, Selectable } from 'kysely';
import { type Clock, MINUTE } from '../kernel/clock.ts';
import type { Passwords } from '../kernel/crypto/passwords.ts';
import { equalInConstantTime, type Vault } from '../kernel/crypto/vault.ts';
import type { Database } from '../kernel/database/database.ts';
import { notFound, Problem } from '../kernel/http/problem.ts';
import type { AttemptRule, Attempts } from '../kernel/limits/attempts.ts';
import { fromRow, type StoredFile } from './file.ts';
import { ACCESS_KEY_PURPOSE } from './files.ts';
import { guessRules } from './guesses.ts';
import type { FilesTable } from './tables.ts';

/** How a stranger names the file that they want. */
export type Way = { by: 'directToken' | 'uiToken' | 'id'; value: string };

/** What a stranger shows for it. */
export interface Shown {
  /** The client's address. */
  address: string;
  accessKey: string | null;
  filePassword: string | null;
  /** A pass that `passFor` gave; null = none. */
  pass: string | null;
}

/** A file that the visitor may have. */
export interface Opened {
  file: StoredFile;
  /** A key, a password or a pass was asked for: what is answered must not be stored on the way. */
  secretUsed: boolean;
}

/** Which secrets a file asks for on a way. */
export interface Asked {
  key: boolean;
  password: boolean;
}

export interface Access {
  /**
   * May this visitor have this file? The one place that decides, for every route that gives a stranger bytes, thumbnails
   * or facts. Costs one read where no secret is asked for.
   * @throws Problem 404 `not_found`, 410 `link_expired`, 429 `too_many_attempts`, 403 `access_key_required`, `access_key_wrong`,
   *   `file_password_required`, `file_password_wrong`
   */
  open(way: Way, shown: Shown): Promise<Opened>;
  /** What would have to be shown, without judging anything. @throws Problem 404, 410 */
  asked(way: Way): Promise<{ file: StoredFile; asked: Asked }>;
  /** A pass to this file for `PASS_MS`, for whoever has opened it; no longer good once its secrets change. */
  passFor(file: StoredFile): string;
}

interface AccessParts {
  database: Database;
  vault: Vault;
  clock: Clock;
  attempts: Attempts;
  passwords: Passwords;
}

/** How long a proven password is remembered, and a pass is good. */
export const PASS_MS = 10 * MINUTE;
const PROOFS_KEPT = 10_000;
const COLUMNS = { directToken: 'direct_token', uiToken: 'ui_token', id: 'id' } as const;

export function createAccess({ database, vault, clock, attempts, passwords }: AccessParts): Access {
  // Put together once: the text of these queries costs more to make than to run.
  const lookup = {
    directToken: database.read
      .selectFrom('files')
      .selectAll()
      .where(COLUMNS.directToken, '=', '')
      .where('deleted_at', 'is', null)
      .compile(),
    uiToken: database.read.selectFrom('files').selectAll().where(COLUMNS.uiToken, '=', '').where('deleted_at', 'is', null).compile(),
    id: database.read.selectFrom('files').selectAll().where(COLUMNS.id, '=', '').where('deleted_at', 'is', null).compile(),
  };
  const inTurn = createTurns();
  /** Proven passwords: when each proof ends. */
  const proofs = new Map<string, number>();

  async function find({ by, value }: Way): Promise<StoredFile> {
    // No database is asked for what cannot be there; PostgreSQL has no words for some of it.
    if (!/^[\w-]+$/.test(value)) throw notFound();
    const query = { ...lookup[by], parameters: [value] } as CompiledQuery<Selectable<FilesTable>>;
    const { rows } = await database.read.getExecutor().executeQuery(query);
    if (!rows[0]) throw notFound();
    return fromRow(rows[0]);
  }

  async function asked(way: Way): Promise<{ file: StoredFile; asked: Asked }> {
    const file = await find(way);
    const hasKey = file.accessKey !== null;
    // Private files, and the way by id, are for those who hold the key: without a key on the file there is no such way.
    if (!hasKey && (file.visibility === 0 || way.by === 'id')) throw notFound();
    if (file.expiresAt !== null && file.expiresAt <= clock.now()) throw new Problem('link_expired', 'The link to this file has expired.');
    return { file, asked: { key: hasKey, password: file.passwordHash !== null } };
  }

  function requireKey(file: StoredFile, given: string | null): 'right' | 'missing' | 'wrong' {
    if (given === null || given === '') return 'missing';
    return equalInConstantTime(vault.open(ACCESS_KEY_PURPOSE, file.accessKey ?? ''), given) ? 'right' : 'wrong';
  }

  /** @param rules checked again before each hash, and the passwords of one address one after the other: many at once are many guesses */
  async function requirePassword(
    file: StoredFile,
    given: string | null,
    rules: readonly AttemptRule[],
  ): Promise<'right' | 'missing' | 'wrong'> {
    if (given === null || given === '') return 'missing';
    const proof = vault.sign('proven file password', `${file.id} ${file.passwordHash} ${given}`);
    const now = clock.now();
    if ((proofs.get(proof) ?? 0) > now) return 'right';
    const isRight = await inTurn(rules[0]?.scope ?? '', async () => {
      await attempts.check(rules);
      const right = await passwords.verify(given, file.passwordHash);
      if (!right) await attempts.fail(rules);
      return right;
    });
    if (!isRight) return 'wrong';
    if (proofs.size >= PROOFS_KEPT) proofs.clear();
    proofs.set(proof, now + PASS_MS);
    return 'right';
  }

  /** What a pass stands for: this file with these secrets. */
  const passText = (file: StoredFile, ends: string) => `${file.id} ${file.accessKey} ${file.passwordHash} ${ends}`;

  function isGoodPass(file: StoredFile, pass: string | null): boolean {
    const [ends = '', signature = ''] = pass?.split('.') ?? [];
    if (!/^\d{1,15}$/.test(ends) || Number(ends) <= clock.now()) return false;
    return vault.verify('file pass', passText(file, ends), signature);
  }

  return {
    asked,
    async open(way, shown) {
      const { file, asked: wants } = await asked(way);
      if (!wants.key && !wants.password) return { file, secretUsed: false };
      if (isGoodPass(file, shown.pass)) return { file, secretUsed: true };
      const rules = guessRules(file.id, shown.address);
      await attempts.check(rules);
      const key = wants.key ? requireKey(file, shown.accessKey) : 'right';
      if (key === 'wrong') await attempts.fail(rules);
      if (key !== 'right') throw refusal('access_key', key);
      const password = wants.password ? await requirePassword(file, shown.filePassword, rules) : 'right';
      if (password !== 'right') throw refusal('file_password', password);
      return { file, secretUsed: true };
    },
    passFor(file) {
      const ends = String(clock.now() + PASS_MS);
      return `${ends}.${vault.sign('file pass', passText(file, ends))}`;
    },
  };
}

/** Runs work under one name one after the other. */
function createTurns(): <Result>(name: string, work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<unknown>>();
  return async (name, work) => {
    const before = last.get(name) ?? Promise.resolve();
    const mine = before.then(work, work);
    last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (last.get(name) === mine) last.delete(name);
    }
  };
}

function refusal(secret: 'access_key' | 'file_password', how: 'missing' | 'wrong'): Problem {
  const name = secret === 'access_key' ? 'access key' : 'password';
  return how === 'missing'
    ? new Problem(`${secret}_required`, `This file asks for its ${name}.`)
    : new Problem(`${secret}_wrong`, `This is not the ${name} of this file.`);
}
