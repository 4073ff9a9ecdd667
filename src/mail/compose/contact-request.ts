import { z } from '@hono/zod-openapi';
import { jsonObject } from '../fields.ts';

const MAX_MESSAGE_LENGTH = 100_000;

/** A boolean in JSON, or the value of a form's checkbox. */
const flag = z.union([z.boolean(), z.stringbool()], { error: 'must be true or false' });

/** The character U+0000 in a text of JSON, where a pair of backslashes is one of the text itself. */
const ESCAPED_NULL = /(?<!\\)(?:\\\\)*\\u0000/;

/**
 * Reports whether an object of JSON contains the character U+0000, which no markup may contain. Searches its text:
 * visiting half a million values one by one would take a quarter of a second.
 */
const hasNull = (value: object) => ESCAPED_NULL.test(JSON.stringify(value));

const NO_NULL = 'must not contain the character U+0000';
const text = (most: number) =>
  z
    .string()
    .max(most, `must have at most ${most} characters`)
    .refine((value) => !value.includes('\0'), NO_NULL);

const fields = jsonObject.refine((value) => !hasNull(value), NO_NULL);

/** The body of `POST /sendcontactusform` beyond the credentials. */
export const contactRequestSchema = z
  .object({
    Email: z.string(),
    Message: text(MAX_MESSAGE_LENGTH).refine((value) => value.trim() !== '', 'must not be empty'),
    Name: text(200).optional(),
    Phone: text(100).optional(),
    Subject: text(500).optional(),
    Fields: fields.optional(),
    IncludeSystemInfo: flag.optional(),
    SystemInfo: fields.optional(),
    Website: z.string().optional(),
    ChallengeToken: z.string().max(4_096).optional(),
  })
  .openapi('ContactRequest');

export type ContactRequest = z.infer<typeof contactRequestSchema>;
