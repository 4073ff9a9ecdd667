import { z } from '@hono/zod-openapi';
import { invalidField } from '../kernel/http/problem.ts';

/**
 * Gives `value` the field names that `schema` has, matched without regard to case, at every depth where the schema names
 * fields. What the schema does not name is left out, and so is null, which stands for “not given”; records
 * (`TemplateData`, `Fields` …) stay exactly as they were given.
 * @throws Problem 400 that names a field which stands twice, in two cases
 */
export function withFieldNames(schema: z.ZodType, value: unknown, path: readonly string[] = []): unknown {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item, index) => withFieldNames(inner.element as z.ZodType, item, [...path, String(index)]));
  }
  if (inner instanceof z.ZodObject && isPlainObject(value)) return namedFields(inner, value, path);
  return value;
}

function namedFields(schema: z.ZodObject, value: Record<string, unknown>, path: readonly string[]): Record<string, unknown> {
  const names = new Map(Object.keys(schema.shape).map((name) => [name.toLowerCase(), name]));
  const named = new Map<string, unknown>();
  for (const key of Object.keys(value)) {
    const name = names.get(key.toLowerCase());
    if (name === undefined) continue;
    const place = [...path, name];
    if (named.has(name)) throw invalidField(place.join('.'), 'stands twice, in two spellings');
    named.set(name, value[key] === null ? undefined : withFieldNames(schema.shape[name] as z.ZodType, value[key], place));
  }
  return Object.fromEntries(named);
}

function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrapped(schema.unwrap() as z.ZodType);
  }
  return schema;
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One or several, as the contract writes it (`To`, `Recipients`). */
export function oneOrMore(most: number) {
  return z
    .union([z.string(), z.array(z.string())], { error: 'must be a text or an array of texts' })
    .transform((value) => (typeof value === 'string' ? [value] : value))
    .refine((list) => list.length > 0, 'must not be empty')
    .refine((list) => list.length <= most, `must have ${most} entries at most`);
}

/** One of `names`, without regard to case. */
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
