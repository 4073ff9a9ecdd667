import { DatabaseError } from 'pg';
import { codeOf } from '../../errors/code-of.ts';
import { reasonOf } from '../../errors/reason-of.ts';
import { Unavailable } from '../../errors/unavailable.ts';

/* SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */

const REPEATABLE = new Set(['40001', '40P01']);
/** Violations of a unique key and of a foreign key. */
const VIOLATIONS = new Set(['23505', '23503']);

/**
 * The server cannot serve this connection: connection exceptions, resources exhausted (without disk_full), shutdown,
 * a standby after a failover, a session or a transaction that took too long.
 */
const LOST = /^(?:08|57P0|53(?!100)|25006$|25P0[34]$)/;
/**
 * Failures that leave the connection usable: time-outs of a statement or a lock, those that remained after repetition,
 * errors of the disk or the operating system, and missing privileges, which include those for files.
 */
const FAILED = /^(?:57014|55P03|40001|40P01|58...|42501)$/;

/** Codes of a server that accepts no more connections, or is starting. */
const TO_WAIT_FOR = new Set(['53300', '57P03']);

/** Reports whether a transaction that failed with `error` was rolled back because of another one. */
export function isConflict(error: unknown): boolean {
  return REPEATABLE.has(sqlStateOf(error) ?? '');
}

/**
 * Reports whether a transaction failed with `error` because a key exists, or the row of a reference does not. Another
 * transaction may have added or deleted that row after this one looked for it.
 */
export function isViolation(error: unknown): boolean {
  return VIOLATIONS.has(sqlStateOf(error) ?? '');
}

/** Reports whether a connection that failed with `error` is worth another try. */
export function isWorthWaiting(error: unknown): boolean {
  return TO_WAIT_FOR.has(sqlStateOf(error) ?? '');
}

/** Reports whether the server has as many connections as it accepts. */
export function isOutOfConnections(error: unknown): boolean {
  return sqlStateOf(error) === '53300';
}

/** Reports whether a statement with a time limit for locks exceeded it. */
export function isLockTimeout(error: unknown): boolean {
  return sqlStateOf(error) === '55P03';
}

/** Reports whether `error` ended the connection, or makes it useless. */
function isLost(error: unknown): boolean {
  return error instanceof DatabaseError ? LOST.test(error.code ?? '') : isOfConnection(error);
}

/**
 * The connection broke during a statement, or the tables of a prepared statement have changed, so that the statements
 * of all connections must be prepared again.
 */
export class ConnectionBroken extends Unavailable {}

/** The connection had broken before the statement was sent. */
export class NotSent extends ConnectionBroken {}

/** A statement had no response in time; its connection was ended. */
export class NoResponse extends Unavailable {}

/** Returns `error` as an `Unavailable` of the right class when the server caused it; other errors unchanged. */
export function classify(error: unknown): unknown {
  if (isStalePlan(error)) return new ConnectionBroken('database', reasonOf(error), { cause: error });
  if (isLost(error)) {
    const reason = reasonOf(error);
    const Kind = UNSENT.test(reason) ? NotSent : ConnectionBroken;
    return new Kind('database', reason, { cause: error });
  }
  return FAILED.test(sqlStateOf(error) ?? '') ? postgresUnavailable(error) : error;
}

/** Returns the failure to get a connection or a response as `Unavailable`. */
export function postgresUnavailable(cause: unknown): Unavailable {
  return new Unavailable('database', reasonOf(cause), { cause });
}

/** Reports whether the server refused TLS. */
export function isWithoutTls(error: unknown): boolean {
  return error instanceof Error && error.message === 'The server does not support SSL connections';
}

/**
 * Compares the message too, since many errors have this code
 * (https://github.com/postgres/postgres/blob/REL_18_STABLE/src/backend/utils/cache/plancache.c).
 */
function isStalePlan(error: unknown): boolean {
  return sqlStateOf(error) === '0A000' && reasonOf(error).startsWith('cached plan must not change');
}

/** Texts of errors that pg raises itself: they have no code. */
const UNSENT = /not queryable$/;
const OF_CLIENT = /^Connection terminated|not queryable$|^timeout exceeded|^timeout expired/;

function isOfConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return (typeof code === 'string' && /^E(?!RR_)[A-Z]/.test(code)) || OF_CLIENT.test(error.message);
}

function sqlStateOf(error: unknown): string | undefined {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof DatabaseError) return each.code;
  return undefined;
}
