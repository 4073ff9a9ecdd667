import { z } from '@hono/zod-openapi';
import { invalidField } from '../problem.ts';

/**
 * Returns a function that renames the fields of a value to the names in `schema`, compared without regard to case, at
 * every depth where the schema names fields. It removes fields that the schema does not name, and `null` where the
 * schema does not allow it (absent). Keys of records (`TemplateData`, `Fields` …) stay as they are. Create it once for
 * each schema.
 * @throws Problem 400 that names a field given twice in different case
 */
export function fieldNames(schema: z.ZodType): (value: unknown) => unknown {
  const rename = renamer(schema);
  return (value) => rename(value, []);
}

/** @param path of `value` in the request */
type Rename = (value: unknown, path: readonly string[]) => unknown;

function renamer(schema: z.ZodType): Rename {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodArray) {
    const rename = renamer(inner.element as z.ZodType);
    return (value, path) =>
      Array.isArray(value) ? value.map((item, index) => rename(item, [...path, String(index)])) : value;
  }
  return inner instanceof z.ZodObject ? objectRenamer(inner) : (value) => value;
}

function objectRenamer(schema: z.ZodObject): Rename {
  const fields = new Map(
    Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field]) => [
      name.toLowerCase(),
      { name, allowsNull: field.safeParse(null).success, rename: renamer(field) },
    ]),
  );
  return (value, path) => {
    if (!isPlainObject(value)) return value;
    const named = new Map<string, unknown>();
    for (const [key, given] of Object.entries(value)) {
      const field = fields.get(key.toLowerCase());
      if (!field) continue;
      const place = [...path, field.name];
      if (named.has(field.name)) throw invalidField(place.join('.'), 'must appear only once');
      named.set(field.name, given === null && !field.allowsNull ? undefined : field.rename(given, place));
    }
    return Object.fromEntries(named);
  };
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
