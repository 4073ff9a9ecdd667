import { SECOND } from './clock.ts';
import { Problem } from './problem.ts';

/** The part of the server whose engine failed. */
export type Engine = 'database' | 'blobs';

interface UnavailableOptions {
  cause?: unknown;
  /** The engine may have stored what it was sent: the failure came before its answer. */
  isUnknown?: boolean;
}

/** The database or the blob store refuses, disconnects, does not answer in time, or has no capacity. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
  readonly engine: Engine;
  readonly isUnknown: boolean;
  constructor(engine: Engine, reason: string, { cause, isUnknown = false }: UnavailableOptions = {}) {
    super(reason, { cause });
    this.engine = engine;
    this.isUnknown = isUnknown;
  }
}

/**
 * Codes of a local engine that cannot be used for now: a read-only, protected or failing file system, exhausted
 * descriptors (errno(3)); a locked or unreadable database (https://www.sqlite.org/rescode.html).
 */
const LOCAL_CODE =
  /^(?:EROFS|EACCES|EIO|EMFILE|ENFILE|SQLITE_(?:BUSY|LOCKED|READONLY|IOERR|CANTOPEN)(?:_\w+)?)$/;

/** Time after which a request is worth repeating. */
const RETRY_AFTER_MS = 2 * SECOND;
const NAMES: Record<Engine, string> = { database: 'database', blobs: 'file store' };

/** Returns 503 `unavailable` when `error`, or one of its causes, came from an engine; null for other errors. */
export function asUnavailable(error: unknown): Problem | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof Problem && each.code === 'unavailable') return each;
    if (each instanceof Unavailable) return unavailable(each.engine, error, each.isUnknown);
    const { code } = each as { code?: unknown };
    if (typeof code === 'string' && LOCAL_CODE.test(code))
      return unavailable(code.startsWith('SQLITE') ? 'database' : 'blobs', error);
  }
  return null;
}

/** Returns 503 `unavailable`. @param isUnknown the engine may have stored what it was sent */
export function unavailable(engine: Engine, cause?: unknown, isUnknown = false): Problem {
  const outcome = isUnknown ? ' The request may have taken effect: check before you repeat it.' : '';
  return new Problem(
    'unavailable',
    `The ${NAMES[engine]} of the server cannot be used at the moment.${outcome}`,
    {
      retryAfterMs: RETRY_AFTER_MS,
      cause,
    },
  );
}
