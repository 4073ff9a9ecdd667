import type { Transaction } from '../database/database.ts';
import type { Problem } from '../problem.ts';
import type { Attempted, NewMessage } from './message.ts';

/** Response to a caller. The body is a JSON value. */
export interface Answer {
  status: number;
  body: unknown;
}

/** Preferences of the caller for the acceptance of a message. */
export interface DeliveryOptions {
  /** A repeat with the same key gets the first response; null = no repeats are detected. */
  idempotencyKey: string | null;
  /** True = respond when the message is stored; false = wait for the first attempt. */
  async: boolean;
}

/** A message to accept. */
export interface Acceptance {
  /** Scope of idempotency keys, in addition to the client. */
  route: string;
  clientId: string;
  delivery: DeliveryOptions;
  /** Digest of the request without its secrets, compared when a key is repeated. */
  fingerprint: string;
  /** Returns the rows of the message with this id. */
  compose(messageId: string): readonly NewMessage[];
  /** Writes other rows of the message in the same transaction. May be called again when the transaction is repeated. */
  store?(trx: Transaction): Promise<void>;
  /** Returns the response to the caller. @param attempted null when the first attempt was not awaited */
  answer(messageId: string, attempted: Attempted | null): Answer;
}

/** An acceptance with the id of its message. */
export interface Arrival<Kind extends Acceptance = Acceptance> {
  messageId: string;
  acceptance: Kind;
}

/**
 * Screens messages in the transaction that stores them. Returns, by message id, the response or the problem for those
 * that are not to be stored. May be called again when the transaction is repeated.
 */
export type Screen<Kind extends Acceptance> = (
  trx: Transaction,
  arrivals: readonly Arrival<Kind>[],
) => Promise<ReadonlyMap<string, Answer | Problem>>;
