import { z } from '@hono/zod-openapi';
import { jsonObject } from '../fields.ts';

const MAX_MESSAGE_LENGTH = 100_000;

/** A boolean in JSON, or the value of a form's checkbox. */
const flag = z.union([z.boolean(), z.stringbool()], { error: 'must be true or false' });

/** The body of `POST /sendcontactusform` beyond the credentials. */
export const contactRequestSchema = z
  .object({
    Email: z.string(),
    Message: z
      .string()
      .max(MAX_MESSAGE_LENGTH, `must have at most ${MAX_MESSAGE_LENGTH} characters`)
      .refine((text) => text.trim() !== '', 'must not be empty'),
    Name: z.string().max(200).optional(),
    Phone: z.string().max(100).optional(),
    Subject: z.string().max(500).optional(),
    Fields: jsonObject.optional(),
    IncludeSystemInfo: flag.optional(),
    SystemInfo: jsonObject.optional(),
    Website: z.string().optional(),
    ChallengeToken: z.string().max(4_096).optional(),
  })
  .openapi('ContactRequest');

export type ContactRequest = z.infer<typeof contactRequestSchema>;
