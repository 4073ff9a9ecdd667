import { z } from '@hono/zod-openapi';
import { isPlainObject } from '../kernel/plain-object.ts';

export const MAX_RECIPIENTS = 100;
export const MAX_SUBJECT_LENGTH = 998;
/** Maximum length of the HTML, MJML or text that an administrator enters for an e-mail. */
export const MAX_SOURCE_LENGTH = 500_000;

/** A string or an array of strings. */
export function oneOrMore(most: number) {
  return z
    .union([z.string(), z.array(z.string())], { error: 'must be a string or an array of strings' })
    .transform((value) => (typeof value === 'string' ? [value] : value))
    .refine((list) => list.length > 0, 'must not be empty')
    .refine((list) => list.length <= most, `must have at most ${most} entries`);
}

const person = z.object({ Address: z.string(), Name: z.string().optional() });
const recipient = z.union([z.string(), person]);

/**
 * Recipients in the forms of other e-mail APIs: an address, `Name <address>`, several separated by commas or
 * semicolons, `{ Address, Name }`, or a list of these. The output is an array with one mailbox in each string.
 */
export const recipients = z
  .union([recipient, z.array(recipient)], {
    error: 'must be an address, {Address, Name}, or an array of these',
  })
  .transform((value) => (Array.isArray(value) ? value : [value]).flatMap(mailboxesOf))
  .refine((list) => list.length > 0, 'must not be empty')
  .refine((list) => list.length <= MAX_RECIPIENTS, `must have at most ${MAX_RECIPIENTS} addresses`);

function mailboxesOf(given: z.output<typeof recipient>): string[] {
  if (typeof given === 'string') return splitAddresses(given);
  const { Address, Name } = given;
  return [Name ? `"${Name.replace(/["\\]/g, '\\$&')}" <${Address}>` : Address];
}

/** Splits at commas and semicolons outside quotes and angle brackets (RFC 5322 §3.4). */
function splitAddresses(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let closing = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (closing !== '') {
      if (char === '\\' && closing === '"') at++;
      else if (char === closing) closing = '';
    } else if (char === '"' || char === '<') closing = char === '<' ? '>' : char;
    else if (char === ',' || char === ';') {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)].map((part) => part.trim()).filter((part) => part !== '');
}

/** Accepts one of `names`, without regard to case. */
export function oneOf<Name extends string>(names: readonly Name[]) {
  return z
    .string()
    .transform((value, context): Name => {
      const found = names.find((name) => name.toLowerCase() === value.toLowerCase());
      if (found !== undefined) return found;
      context.addIssue({ code: 'custom', message: `must be one of ${names.join(', ')}` });
      return z.NEVER;
    })
    .openapi({ type: 'string', enum: [...names] });
}

const DEEPEST = 50;

/**
 * Any JSON object of the caller, kept unchanged; its depth is bounded, since other code processes it recursively. Its
 * fields are not validated one by one, since there may be hundreds of thousands.
 */
export const jsonObject = z
  .custom<Record<string, unknown>>(isPlainObject, 'must be an object')
  .refine((value) => isShallow(value, 0), `must not be nested deeper than ${DEEPEST}`)
  .openapi({ type: 'object', additionalProperties: {} });

/** The same; an absent one is `{}`. */
export const optionalJsonObject = jsonObject.default({}).openapi({ default: {} });

function isShallow(value: unknown, depth: number): boolean {
  if (depth > DEEPEST) return false;
  if (typeof value !== 'object' || value === null) return true;
  const values: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return values.every((inner) => isShallow(inner, depth + 1));
}
