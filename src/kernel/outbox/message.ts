import type { OutboxStatus } from '../tables.ts';

/** A row to deliver. */
export interface NewMessage {
  id: string;
  /** The same in all parts of a message. */
  messageId: string;
  /** From 0. */
  part: number;
  kind: string;
  clientId: string | null;
  /** Rows of one lane are delivered one after the other; null = in any order. */
  lane: string | null;
  /** JSON value in the shape of the transport; contains no secret. */
  payload: unknown;
  /** Stored sealed, and erased when the row reaches its final status. */
  secret?: string;
  /** Earliest time of delivery, in ms since the epoch. */
  notBefore?: number;
  /** Minimum delay of delivery, in ms. */
  delayMs?: number;
  sandbox: boolean;
}

/** A stored row. Times are ms since the epoch on the database's clock. */
export interface OutboxMessage extends Omit<NewMessage, 'secret' | 'notBefore' | 'delayMs'> {
  status: OutboxStatus;
  attempts: number;
  nextAttemptAt: number;
  deadlineAt: number;
  errorCode: string | null;
  error: string | null;
  result: unknown;
  dateCreated: number;
  dateFinished: number | null;
}

/** A stored row without its payload. */
export type PartState = Omit<OutboxMessage, 'payload'>;

/** A message after its first attempt. */
export interface Attempted {
  first: OutboxMessage;
  /** All parts in order, the first included. */
  parts: readonly PartState[];
}

/** A row that this process has leased for delivery. */
export interface Claimed extends OutboxMessage {
  /** Unsealed. */
  secret: string | null;
  position: number;
  /** The deadline passed long ago, so it fails without another attempt. */
  isOverdue: boolean;
  /** Number of attempts before this one, including those during which a process died. */
  attempts: number;
}

/** A claimed row, and those behind it in its lane that were claimed with it. */
export type Run = readonly Claimed[];

/** Outcome of an attempt. Reasons pass through `withoutSecrets` before they are stored. */
export type Delivery =
  | { outcome: 'sent'; result: unknown }
  /** Permanent failure. */
  | { outcome: 'refused'; code: string; reason: string; result?: unknown }
  /** Temporary failure, such as 429, 5xx, or an error of the network. */
  | {
      outcome: 'later';
      code: string;
      reason: string;
      retryAfterMs?: number;
      result?: unknown;
      payload?: unknown;
    }
  /** Transmitted without a response, and the peer offers no way to find out whether it was accepted. */
  | { outcome: 'unknown'; reason: string }
  /** Not attempted (a limit, a paused target). Not counted as an attempt; the row keeps its position in the lane. */
  | { outcome: 'held'; reason: string; retryAfterMs: number };

/** Maximum stored length of a peer's reply. */
export const MAX_REASON_LENGTH = 500;

/** Truncates a peer's reply, which may be of any length: rows store it, and each read parses it. */
export function reasonFrom(reply: string): string {
  return reply.slice(0, MAX_REASON_LENGTH).toWellFormed();
}

export function held(reason: string, retryAfterMs: number): Delivery {
  return { outcome: 'held', reason, retryAfterMs };
}

export function later(code: string, reason: string, retryAfterMs?: number): Delivery {
  return { outcome: 'later', code, reason, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

export function refused(code: string, reason: string, result?: unknown): Delivery {
  return { outcome: 'refused', code, reason, ...(result === undefined ? {} : { result }) };
}

/** Error code of a row that is `held`. */
export const HELD = 'held';

/** Delivers one kind of message. An error that it throws counts as `later`. */
export interface Transport {
  readonly kind: string;
  /** Maximum number of concurrent deliveries on this node. Clients that have none under way get a quarter more. */
  readonly concurrency: number;
  /** False = only one of the processes of a server delivers, since it counts a limit of the peer in memory. */
  readonly isShared?: false;
  /**
   * True = the peer recognizes a repeated delivery, so several rows of a lane may be delivered in order before the
   * first of them is recorded.
   */
  readonly inRuns?: true;
  /** Describes a message in the administrators' list. */
  about?(payload: unknown): MessageAbout;
  /** @param signal aborted when the server stops and no longer waits for the delivery */
  deliver(message: Claimed, signal: AbortSignal): Promise<Delivery>;
}

export interface MessageAbout {
  /** Empty = none. */
  title: string;
  /** Addresses, or our ids of channels. */
  to: string[];
}
