import { z } from '@hono/zod-openapi';
import type { DeliveryOptions } from '../outbox/acceptance.ts';
import { preferencesOf } from './preferences.ts';

const MAX_KEY_LENGTH = 255;
const KEY_LENGTH = `must have 1 to ${MAX_KEY_LENGTH} characters`;

export const idempotencyKey = z
  .string()
  .min(1, KEY_LENGTH)
  .max(MAX_KEY_LENGTH, KEY_LENGTH)
  .optional()
  .openapi({ description: 'A repeat within 24 hours gets the first response.' });

/** Header fields of the endpoints that send. */
export const deliveryHeaders = z.object({
  'Idempotency-Key': idempotencyKey,
  Prefer: z
    .string()
    .optional()
    .openapi({ description: '`respond-async`: respond as soon as the message is stored (RFC 7240).' }),
});

/**
 * Returns the caller's preferences for the acceptance of its message: `Idempotency-Key` and `Prefer:
 * respond-async` (RFC 7240 §4.1).
 */
export function deliveryOptions(headers: Partial<z.output<typeof deliveryHeaders>>): DeliveryOptions {
  const preferences = preferencesOf(headers.Prefer);
  return { idempotencyKey: headers['Idempotency-Key'] ?? null, async: preferences.has('respond-async') };
}
