import { readBytes, requireMediaType } from '../../kernel/http/body.ts';
import type { Ctx } from '../../kernel/http/context.ts';

const FORM_LIMIT = 16_384;

/** The fields of a form that a page without script has sent; empty where they are missing. @throws Problem 413, 415 */
export async function readForm<Name extends string>(c: Ctx, names: readonly Name[]): Promise<Record<Name, string>> {
  requireMediaType(c, ['application/x-www-form-urlencoded']);
  const form = new URLSearchParams(new TextDecoder().decode(await readBytes(c, FORM_LIMIT)));
  return Object.fromEntries(names.map((name) => [name, form.get(name) ?? ''])) as Record<Name, string>;
}
