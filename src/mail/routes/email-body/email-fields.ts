import { digestOf } from '../../../kernel/crypto/digest.ts';
import { type FieldNotes, fieldReader } from '../../../kernel/http/fields.ts';
import { fingerprintOf } from '../../../kernel/outbox/idempotency.ts';
import { type EmailRequest, emailRequestSchema } from '../../compose/email-request.ts';
import { credentialsSchema } from '../client-auth.ts';

export const emailBodySchema = credentialsSchema.extend(emailRequestSchema.shape);

const readFields = fieldReader(emailBodySchema);

/** Returns the request of a body, without its credentials. @throws Problem 400 that names every invalid field */
export function readEmailFields(value: unknown, notes: FieldNotes): EmailRequest {
  const { ClientId: _, ClientSecret: __, ...request } = readFields(value, notes);
  return request;
}

/**
 * Returns a digest of the fields that must be equal in a repeat: all but the password. Attachments count by their
 * hashes.
 */
export function emailFingerprint({ SmtpConfiguration, Attachments, ...rest }: EmailRequest): string {
  const { Password: _, ...server } = SmtpConfiguration ?? {};
  return fingerprintOf({
    ...rest,
    server,
    attachments: Attachments?.map(({ Content, ...attachment }) => ({
      ...attachment,
      hash: digestOf(Content),
    })),
  });
}
