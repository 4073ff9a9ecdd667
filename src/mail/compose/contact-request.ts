import { z } from '@hono/zod-openapi';
import { jsonObject } from '../fields.ts';

const MAX_MESSAGE_LENGTH = 100_000;

/** A boolean in JSON, or the value of a form's checkbox. */
const flag = z.union([z.boolean(), z.stringbool()], { error: 'must be true or false' });

const ESCAPED_NULL = '\\u0000';

/**
 * Reports whether an object of JSON contains the character U+0000, which no markup may contain. Searches its text:
 * visiting half a million values one by one would take a quarter of a second, and a regular expression as long for as
 * many backslashes.
 */
function hasNull(value: object): boolean {
  const json = JSON.stringify(value);
  for (
    let at = json.indexOf(ESCAPED_NULL);
    at >= 0;
    at = json.indexOf(ESCAPED_NULL, at + ESCAPED_NULL.length)
  ) {
    let before = at;
    while (json[before - 1] === '\\') before--;
    // A pair of backslashes is one of the text itself.
    if ((at - before) % 2 === 0) return true;
  }
  return false;
}

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
