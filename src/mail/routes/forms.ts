import { JSON_LIMIT, readBytes, readJsonValue, requireMediaType } from '../../kernel/http/body.ts';
import type { Ctx } from '../../kernel/http/context.ts';
import { invalidField, Problem } from '../../kernel/http/problem.ts';

const NESTED = /^(fields|systeminfo)(?:\[([^\]]+)\]|\.(.+))$/i;
/** What the widgets of Turnstile, hCaptcha and reCAPTCHA call their field. */
const CHALLENGE = /^(?:cf-turnstile|h-captcha|g-recaptcha)-response$/;
const MOST_FIELDS = 200;

/**
 * The body as an object, from JSON or from a page's form. In a form, `Fields[Company]` or `Fields.Company` stands for a key
 * inside `Fields`, likewise for `SystemInfo`.
 * @throws Problem 415 for another media type, 413, 400
 */
export async function readForm(c: Ctx): Promise<unknown> {
  const type = requireMediaType(c, ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']);
  if (type === 'application/json') return await readJsonValue(c);
  const bytes = await readBytes(c, JSON_LIMIT);
  const pairs =
    type === 'multipart/form-data'
      ? await multipartPairs(bytes, c.req.header('Content-Type') ?? '')
      : [...new URLSearchParams(new TextDecoder().decode(bytes))];
  if (pairs.length > MOST_FIELDS) throw invalidField('body', `must have ${MOST_FIELDS} fields at most`);
  return asObject(pairs);
}

async function multipartPairs(bytes: Uint8Array, contentType: string): Promise<[string, string][]> {
  const form = await new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { 'Content-Type': contentType } }).formData().catch(() => {
    throw new Problem('invalid_request', 'The body is not a form.', { errors: [{ path: 'body', message: 'must be a form' }] });
  });
  return [...form].flatMap(([name, value]): [string, string][] => (typeof value === 'string' ? [[name, value]] : []));
}

function asObject(pairs: readonly [string, string][]): Record<string, unknown> {
  const flat = new Map<string, unknown>();
  const nested = new Map<string, Map<string, string>>();
  for (const [name, value] of pairs) {
    const [, outer, inBrackets, afterDot] = NESTED.exec(name) ?? [];
    if (outer === undefined) {
      flat.set(CHALLENGE.test(name) ? 'ChallengeToken' : name, value);
      continue;
    }
    const inner = nested.get(outer) ?? new Map<string, string>();
    const key = inBrackets ?? afterDot ?? '';
    // Boxes of one name that are ticked together come one by one.
    const before = inner.get(key);
    nested.set(outer, inner.set(key, before === undefined ? value : `${before}, ${value}`));
  }
  return Object.fromEntries([...flat, ...[...nested].map(([outer, inner]): [string, unknown] => [outer, Object.fromEntries(inner)])]);
}
