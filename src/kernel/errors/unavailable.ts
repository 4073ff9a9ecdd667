import { SECOND } from '../clock.ts';
import { Problem } from '../problem.ts';
import { codeOf } from './code-of.ts';

/** The part of the server whose engine failed; `system` is the operating system. */
export type Engine = 'database' | 'blobs' | 'system';

interface UnavailableOptions {
  cause?: unknown;
  /** Whether the engine may have stored what was sent to it, since it failed before it responded. */
  isUnknown?: boolean;
  /** The setting that causes the failure, if it is known. */
  setting?: string;
}

/** An engine refuses, disconnects, does not respond in time, or has no capacity. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
  readonly engine: Engine;
  readonly isUnknown: boolean;
  readonly setting: string | undefined;
  constructor(
    engine: Engine,
    reason: string,
    { cause, isUnknown = false, setting }: UnavailableOptions = {},
  ) {
    super(reason, { cause });
    this.engine = engine;
    this.isUnknown = isUnknown;
    this.setting = setting;
  }
}

/**
 * Codes of a local engine that cannot be used for now: a locked or unreadable database
 * (https://www.sqlite.org/rescode.html); a read-only, protected, failing or disconnected file system, or a file in the
 * place of a directory; missing descriptors, processes or memory, which no engine causes (errno(3)).
 */
const LOCAL_CODES: Record<Engine, RegExp> = {
  database: /^SQLITE_(?:BUSY|LOCKED|READONLY|IOERR|CANTOPEN)(?:_\w+)?$/,
  blobs: /^(?:EROFS|EACCES|EIO|ESTALE|ENOTCONN|ENODEV|ENOTDIR)$/,
  system: /^(?:EMFILE|ENFILE|EAGAIN|ENOMEM)$/,
};

/** Time after which a request is worth repeating. */
const RETRY_AFTER_MS = 2 * SECOND;
const DETAILS: Record<Engine, string> = {
  database: 'The database of the server cannot be used at the moment.',
  blobs: 'The file store of the server cannot be used at the moment.',
  system: 'The server is short of file descriptors, processes, memory or CPU time at the moment.',
};

/** Returns 503 `unavailable` when `error`, or one of its causes, came from an engine; null for other errors. */
export function asUnavailable(error: unknown): Problem | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof Problem && each.code === 'unavailable') return each;
    if (each instanceof Unavailable) return unavailable(each.engine, error, each.isUnknown);
    const engine = engineOf(codeOf(each));
    if (engine) return unavailable(engine, error);
  }
  return null;
}

function engineOf(code: unknown): Engine | undefined {
  if (typeof code !== 'string') return undefined;
  const engines = Object.keys(LOCAL_CODES) as Engine[];
  return engines.find((engine) => LOCAL_CODES[engine].test(code));
}

/** Returns 503 `unavailable`. @param isUnknown whether the engine may have stored what was sent to it */
export function unavailable(engine: Engine, cause?: unknown, isUnknown = false): Problem {
  const outcome = isUnknown ? ' The request may have taken effect: check before you repeat it.' : '';
  return unavailableFor(`${DETAILS[engine]}${outcome}`, cause);
}

/** Returns 503 `unavailable` with this sentence. */
export function unavailableFor(detail: string, cause?: unknown): Problem {
  return new Problem('unavailable', detail, { retryAfterMs: RETRY_AFTER_MS, cause });
}

/** Ignores the error of an optional operation when an engine cannot be used. @throws other errors */
export function throwUnlessUnavailable(error: unknown): void {
  if (asUnavailable(error) === null) throw error;
}
