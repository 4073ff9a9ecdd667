/**
 * Header fields of a response that no cache may store (RFC 9111 §5.2.2.5), because it contains a secret or may change
 * at any time.
 */
export const NO_STORE = { 'Cache-Control': 'no-store' } as const;
