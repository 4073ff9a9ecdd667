import { requireBoundary } from '../../kernel/http/bodies/form-body.ts';
import {
  JSON_LIMIT,
  readBytes,
  readJsonValue,
  requireMediaType,
} from '../../kernel/http/bodies/read-body.ts';
import type { Ctx } from '../../kernel/http/context.ts';
import { invalidField, type Problem } from '../../kernel/problem.ts';

const NESTED = /^(fields|systeminfo)(?:\[([^\]]+)\]|\.(.+))$/i;
/** Field names of the widgets of Turnstile, hCaptcha and reCAPTCHA. */
const CHALLENGE = /^(?:cf-turnstile|h-captcha|g-recaptcha)-response$/;
const MAX_FIELDS = 200;
/** Maximum number of names in a form as JSON, whose `Fields` can contain objects. Forms may come from anyone. */
const MAX_NAMES = 1_000;
/** Replaces a file, which no known field accepts. */
const FILE = Symbol('file');

type Pair = [name: string, value: string | typeof FILE];

/** Media types that `readContactForm` accepts. */
export const FORM_TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
] as const;

/**
 * Returns the body, JSON or the form of a page, as an object. In a form, `Fields[Company]` and `Fields.Company` name
 * a key inside `Fields`; likewise for `SystemInfo`.
 * @throws Problem 415 for another media type, 413, 400
 */
export async function readContactForm(c: Ctx): Promise<unknown> {
  const type = requireMediaType(c, FORM_TYPES);
  if (type === 'application/json') return await readJsonValue(c, MAX_NAMES);
  if (type === 'multipart/form-data') requireBoundary(c);
  const bytes = await readBytes(c, JSON_LIMIT);
  const pairs =
    type === 'multipart/form-data'
      ? await multipartPairs(bytes, c.req.header('Content-Type') ?? '')
      : urlEncodedPairs(new TextDecoder().decode(bytes));
  if (pairs.length > MAX_FIELDS) throw tooManyFields();
  return asObject(pairs);
}

/** Counts the fields before it parses them, which takes many times as long. */
function urlEncodedPairs(text: string): Pair[] {
  if (text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) throw tooManyFields();
  return [...new URLSearchParams(text)];
}

function tooManyFields(): Problem {
  return invalidField('body', `must have at most ${MAX_FIELDS} fields`);
}

/** Returns the fields of a multipart form, with `FILE` in place of each file. */
async function multipartPairs(bytes: Uint8Array, contentType: string): Promise<Pair[]> {
  const form = await new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: { 'Content-Type': contentType },
  })
    .formData()
    .catch(() => {
      throw invalidField('body', 'must be a form');
    });
  return [...form].map(([name, value]) => [name, typeof value === 'string' ? value : FILE]);
}

function asObject(pairs: readonly Pair[]): Record<string, unknown> {
  const flat = new Map<string, unknown>();
  const nested = new Map<string, Map<string, string>>();
  for (const [name, value] of pairs) {
    const [, outer, inBrackets, afterDot] = NESTED.exec(name) ?? [];
    if (outer === undefined || value === FILE) {
      flat.set(CHALLENGE.test(name) ? 'ChallengeToken' : name, value);
      continue;
    }
    const inner = nested.get(outer) ?? new Map<string, string>();
    const key = inBrackets ?? afterDot ?? '';
    // Each ticked box of a group arrives as a field of the same name.
    const before = inner.get(key);
    nested.set(outer, inner.set(key, before === undefined ? value : `${before}, ${value}`));
  }
  return Object.fromEntries([
    ...flat,
    ...[...nested].map(([outer, inner]): [string, unknown] => [outer, Object.fromEntries(inner)]),
  ]);
}
