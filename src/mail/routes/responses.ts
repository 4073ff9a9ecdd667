import { z } from '@hono/zod-openapi';
import { NO_STORE } from '../../kernel/http/no-store.ts';
import type { Client } from '../clients/clients.ts';
import { type SendResult, STATUSES } from '../sending/results.ts';

export const recipientSchema = z
  .object({ Address: z.string(), Status: z.enum(STATUSES), Error: z.string().nullable() })
  .openapi('Recipient');

const sendAnswerSchema = z
  .object({
    Id: z.string(),
    Status: z.enum(STATUSES),
    MessageId: z.string().nullable(),
    Recipients: z.array(recipientSchema),
    sandbox: z.literal(true).optional(),
  })
  .openapi('SendAnswer');

export const sendResponses = {
  200: {
    description: 'The mail server or Telegram accepted it, for at least one recipient.',
    schema: sendAnswerSchema,
  },
  202: { description: 'Stored. The server sends it as soon as possible.', schema: sendAnswerSchema },
} as const;

/**
 * Reports whether the credentials of `client` are public, since a page with its form contains them. Responses to such
 * callers must contain neither the recipients of the form nor replies of a mail server, which often repeat an address.
 */
export function hasPublicCredentials({ services }: Pick<Client, 'services'>): boolean {
  return services.every((service) => service === 'contact');
}

/** Replaces the replies of a mail server for callers that must not see the recipients. */
export const HIDDEN_REASON = 'the mail server refused the message';

/** Returns the header fields of a response; `Location` is the address of the status of a message that waits. */
export function responseHeaders({ status, body }: SendResult): Record<string, string> {
  return status === 202 ? { ...NO_STORE, Location: `/messages/${body.Id}` } : NO_STORE;
}
