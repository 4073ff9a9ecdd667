import type { OutboxStatus } from '../tables.ts';

/** One row to deliver. */
export interface NewMessage {
  id: string;
  /** The same in every part of one message. */
  messageId: string;
  /** From 0. */
  part: number;
  kind: string;
  clientId: string | null;
  /** Rows of one lane go out one after the other; null = in any order. */
  lane: string | null;
  /** Plain data of the transport's own shape; holds no secret. */
  payload: unknown;
  /** Kept sealed and erased at the end state. */
  secret?: string;
  /** Not before; ms since the epoch. */
  notBefore?: number;
  sandbox: boolean;
}

/** A row as it stands. */
export interface OutboxMessage {
  id: string;
  messageId: string;
  part: number;
  kind: string;
  clientId: string | null;
  lane: string | null;
  status: OutboxStatus;
  payload: unknown;
  attempts: number;
  nextAttemptAt: number;
  deadlineAt: number;
  errorCode: string | null;
  error: string | null;
  result: unknown;
  sandbox: boolean;
  dateCreated: number;
  dateFinished: number | null;
}

/** A row on its way to the peer. */
export interface Claimed extends OutboxMessage {
  /** The opened secret. */
  secret: string | null;
  /** How many attempts were made before this one, including those that a killed process began. */
  attempts: number;
}

/** How an attempt ended. Texts pass through `withoutSecrets` before they are kept. */
export type Delivery =
  | { outcome: 'sent'; result: unknown }
  /** For good: the peer will not take it, ever. */
  | { outcome: 'refused'; code: string; reason: string; result?: unknown }
  /** For now: 4xx SMTP, 429, 5xx, network. */
  | { outcome: 'later'; code: string; reason: string; retryAfterMs?: number; result?: unknown; payload?: unknown }
  /** Handed over, no answer, and the peer cannot tell whether it has it. */
  | { outcome: 'unknown'; reason: string }
  /** Not even tried (a limit, a paused target): counts as no attempt, keeps its place in the lane. */
  | { outcome: 'held'; reason: string; untilMs: number };

/** Delivers one kind of message. What it throws counts as `later`. */
export interface Transport {
  readonly kind: string;
  /** How many at once. */
  readonly concurrency: number;
  /** What administrators see of a message in a list. */
  about?(payload: unknown): MessageAbout;
  /** @param signal aborted when the server gives up waiting at its stop */
  deliver(message: Claimed, signal: AbortSignal): Promise<Delivery>;
}

export interface MessageAbout {
  /** Empty = none. */
  title: string;
  /** Addresses, or our ids of channels. */
  to: string[];
}

/** Statuses that change no more. */
export function isFinal(status: OutboxStatus): boolean {
  return status !== 'queued';
}
