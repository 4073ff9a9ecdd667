import { Problem } from '../problem.ts';
import type { OutboxStatus } from '../tables.ts';

/** Reports whether the status never changes again, unless an administrator resends the message. */
export function isFinal(status: OutboxStatus): boolean {
  return status !== 'queued';
}

/** Most significant first. */
const PRECEDENCE: readonly OutboxStatus[] = ['queued', 'failed', 'unknown', 'cancelled', 'sent'];

/**
 * Returns the status of a message, derived from its parts: `queued` while any part is queued, then `failed` if any
 * failed.
 */
export function messageStatus(parts: readonly { status: OutboxStatus }[]): OutboxStatus {
  return PRECEDENCE.find((status) => parts.some((part) => part.status === status)) ?? 'queued';
}

/** Returns 409 for a message without a part that can be cancelled. */
export function notCancellable(): Problem {
  return new Problem('not_cancellable', 'The message is being delivered, or has reached its final status.');
}
