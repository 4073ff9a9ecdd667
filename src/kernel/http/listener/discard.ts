import { MB } from '../../bytes.ts';

/**
 * Limits on the time (ms) and the bytes spent on the rest of a request whose response is sent before its end. A client
 * that still sends receives the response only when the connection stays open meanwhile (RFC 9112 §9.6).
 */
export interface DiscardLimits {
  ms: number;
  bytes: number;
}

/** The limits of the contract. */
export const DISCARD_LIMITS: DiscardLimits = { ms: 5_000, bytes: 64 * MB };

/** Maximum length of a rest that is expected to arrive within the limits, so that the connection can be used again. */
export const SHORT_REST = 65_536;
