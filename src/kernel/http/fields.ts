import { z } from '@hono/zod-openapi';
import { isPlainObject } from '../plain-object.ts';
import { invalidField, invalidFields, type Problem } from '../problem.ts';
import { checked } from './bodies/read-body.ts';
import type { Ctx } from './context.ts';
import { isStrict, preferencesOf } from './preferences.ts';

/** How the fields of a request are read, and the ignored fields that were found. */
export interface FieldNotes {
  /** The request changes a resource: absent fields are not changed, and `null` removes a value. */
  isChange: boolean;
  /** Whether unknown fields are an error. */
  refusesUnknown(): boolean;
  unknown: string[];
}

/** Notes of a value that is read on its own: its unknown fields are not reported. */
export function unrestricted(): FieldNotes {
  return { isChange: false, refusesUnknown: () => false, unknown: [] };
}

/** Notes unknown fields that were found elsewhere. @throws Problem 400 when they are refused */
export function noteUnknown(paths: readonly string[], notes: FieldNotes): void {
  notes.unknown.push(...paths);
  refuseUnknown(notes);
}

/** Reports unknown fields that a handler has found. @throws Problem 400 if the request wants strict handling */
export function reportUnknown(c: Ctx, paths: readonly string[]): void {
  if (paths.length === 0) return;
  if (isStrict(preferencesOf(c.req.header('Prefer')))) throw unknownFields(paths);
  c.env.ignored = [...(c.env.ignored ?? []), ...paths];
}

function refuseUnknown({ unknown, refusesUnknown }: FieldNotes): void {
  // Removed, since refused fields are not ignored fields.
  if (unknown.length > 0 && refusesUnknown()) throw unknownFields(unknown.splice(0));
}

/** Reads one value of a request. @param path of the value, for errors */
type Read = (value: unknown, path: string, notes: FieldNotes) => unknown;

/** Parses the fields of a request. @throws Problem 400 that names every invalid field */
export type FieldReader<Schema extends z.ZodType> = (value: unknown, notes: FieldNotes) => z.output<Schema>;

const keptBlanks = z.registry<{ kept: true }>();

/** A field in which `""` and `[]` have a meaning and do not count as absent. */
export function keepingBlanks<Schema extends z.ZodType>(schema: Schema): Schema {
  keptBlanks.add(schema, { kept: true });
  return schema;
}

/**
 * Creates a reader of values of `schema`. At every depth where the schema names fields, names match without regard to
 * case, and `null`, `""` and `[]` of an optional field mean that it is absent. Keys of records (`TemplateData`,
 * `Fields` …) are not changed. Unknown fields are removed and noted.
 * @param place name of the value as a whole, for errors
 */
export function fieldReader<Schema extends z.ZodType>(schema: Schema, place = 'body'): FieldReader<Schema> {
  // Created on first use: the readers of all endpoints would delay the start by a tenth.
  let read: Read | undefined;
  return (value, notes) => {
    read ??= namedFields(schema);
    const named = read(value, '', notes);
    refuseUnknown(notes);
    return checked(schema, named, place);
  };
}

/** Returns 400 `invalid_request` for unknown fields. */
export function unknownFields(paths: readonly string[]): Problem {
  return invalidFields(paths.map((path) => ({ path, message: 'is not a field of this request' })));
}

const unchanged: Read = (value) => value;

/** More than any list may have. The limit of the list itself is checked only after its items. */
const MAX_ITEMS = 10_000;

/** As `fieldReader`, without validation. */
export function namedFields(schema: z.ZodType): Read {
  const options = optionsOf(schema);
  const list = options.find((option) => option instanceof z.ZodArray);
  const object = options.find((option) => option instanceof z.ZodObject);
  if (!list && !object) return unchanged;
  const readItem = list ? namedFields(list.element as z.ZodType) : unchanged;
  const readObject = object ? objectReader(object) : unchanged;
  return (value, path, notes) => {
    if (Array.isArray(value) && value.length > MAX_ITEMS)
      throw invalidField(path || 'body', `must have at most ${MAX_ITEMS} items`);
    if (Array.isArray(value))
      return value.map((item, index) => readItem(item, join(path, String(index)), notes));
    return isPlainObject(value) ? readObject(value, path, notes) : value;
  };
}

interface Field {
  name: string;
  read: Read;
  isOptional: boolean;
  keepsBlanks: boolean;
  accepts(value: unknown): boolean;
}

function objectReader(schema: z.ZodObject): Read {
  const fields = new Map<string, Field>();
  for (const [name, field] of Object.entries(schema.shape) as [string, z.ZodType][]) {
    fields.set(name.toLowerCase(), {
      name,
      read: namedFields(field),
      isOptional: field.safeParse(undefined).success,
      keepsBlanks: keepsBlanks(field),
      accepts: (value) => field.safeParse(value).success,
    });
  }
  return (value, path, notes) => {
    const named: Record<string, unknown> = {};
    const absent = new Set<string>();
    for (const [key, given] of Object.entries(value as Record<string, unknown>)) {
      const field = fields.get(key.toLowerCase());
      if (!field) {
        notes.unknown.push(join(path, key));
        continue;
      }
      const place = join(path, field.name);
      if (Object.hasOwn(named, field.name) || absent.has(field.name))
        throw invalidField(place, 'must appear only once');
      // An absent field gets no key, so that it does not replace a default when the value is spread.
      if (isAbsent(field, given, notes)) absent.add(field.name);
      else named[field.name] = field.read(given, place, notes);
    }
    return named;
  };
}

function isAbsent(field: Field, value: unknown, { isChange }: FieldNotes): boolean {
  if (value === null) return !isChange && !field.accepts(null);
  const isBlank = value === '' || (Array.isArray(value) && value.length === 0);
  return isBlank && field.isOptional && !field.keepsBlanks;
}

function keepsBlanks(schema: z.ZodType): boolean {
  return keptBlanks.has(schema) || (isWrapper(schema) && keepsBlanks(schema.unwrap() as z.ZodType));
}

const isWrapper = (schema: z.ZodType) =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;

function optionsOf(schema: z.ZodType): z.ZodType[] {
  if (isWrapper(schema)) return optionsOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodPipe) return optionsOf(schema.in as z.ZodType);
  if (schema instanceof z.ZodUnion)
    return (schema.options as readonly z.ZodType[]).flatMap((option) => optionsOf(option));
  return [schema];
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
