import { z } from '@hono/zod-openapi';
import { invalidField } from '../problem.ts';

/**
 * Renames the fields of `value` to the names in `schema`, compared without regard to case, at every depth where the
 * schema names fields. Removes fields that the schema does not name, and `null` where the schema does not allow it
 * (absent). Keys of records (`TemplateData`, `Fields` …) stay as they are.
 * @throws Problem 400 that names a field given twice in different case
 */
export function withFieldNames(schema: z.ZodType, value: unknown, path: readonly string[] = []): unknown {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item, index) =>
      withFieldNames(inner.element as z.ZodType, item, [...path, String(index)]),
    );
  }
  if (inner instanceof z.ZodObject && isPlainObject(value)) return namedFields(inner, value, path);
  return value;
}

function namedFields(
  schema: z.ZodObject,
  value: Record<string, unknown>,
  path: readonly string[],
): Record<string, unknown> {
  const names = new Map(Object.keys(schema.shape).map((name) => [name.toLowerCase(), name]));
  const named = new Map<string, unknown>();
  for (const key of Object.keys(value)) {
    const name = names.get(key.toLowerCase());
    if (name === undefined) continue;
    const place = [...path, name];
    if (named.has(name)) throw invalidField(place.join('.'), 'must appear only once');
    const field = schema.shape[name] as z.ZodType;
    const isMissing = value[key] === null && !field.safeParse(null).success;
    named.set(name, isMissing ? undefined : withFieldNames(field, value[key], place));
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
