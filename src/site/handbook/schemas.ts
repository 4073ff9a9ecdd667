import type { JsonSchema, OpenApi } from '../openapi-types.ts';
import { alternativesOf, createFlatten } from './flatten.ts';
import { createSample, type Sample } from './samples.ts';

/**
 * A field of a body, for a table. `path` is `address.city` for a nested field, and has `[]` for the items of
 * an array.
 */
export interface Field {
  path: string;
  type: string;
  required: boolean;
  about: string;
}

const DEEPEST = 4;

/** Reads the schemas of a document. */
export interface Schemas {
  /** Returns the fields of a body, nested ones after their parents; none for a body that is not an object. */
  fields(schema: JsonSchema): Field[];
  /** Returns a description of the type, such as `array of string or null`. */
  typeOf(schema: JsonSchema): string;
  sample: Sample;
}

export function createSchemas(document: OpenApi): Schemas {
  const flat = createFlatten(document.components?.schemas ?? {});

  const typeOf = (given: JsonSchema): string => {
    const schema = flat(given);
    const either = alternativesOf(schema);
    if (either) return [...new Set(either.map(typeOf))].join(' or ');
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
    const types = [schema.type ?? 'any'].flat().map((type) => {
      if (type === 'array') return `array of ${typeOf(schema.items ?? {})}`;
      if (type === 'string' && schema.format)
        return schema.format === 'binary' ? 'file' : `string (${schema.format})`;
      return type;
    });
    return types.join(' or ');
  };

  /** Finds the object with the fields: the schema, its items, or the first alternative that is an object. */
  const objectIn = (given: JsonSchema): { object: JsonSchema; suffix: string } | null => {
    const schema = flat(given);
    if (schema.properties) return { object: schema, suffix: '' };
    if (schema.items) {
      const inner = objectIn(schema.items);
      return inner && { ...inner, suffix: `[]${inner.suffix}` };
    }
    return alternativesOf(schema)?.map(objectIn).find(Boolean) ?? null;
  };

  const fields = (schema: JsonSchema, prefix = '', depth = 0): Field[] => {
    const found = objectIn(schema);
    if (!found || depth === DEEPEST) return [];
    const start = `${prefix}${found.suffix}${prefix || found.suffix ? '.' : ''}`;
    return Object.entries(found.object.properties ?? {}).flatMap(([name, inner]) => [
      {
        path: `${start}${name}`,
        type: typeOf(inner),
        required: found.object.required?.includes(name) ?? false,
        about: [flat(inner).description, limits(flat(inner))].filter(Boolean).join('; '),
      },
      ...fields(inner, `${start}${name}`, depth + 1),
    ]);
  };

  return { fields: (schema) => fields(schema), typeOf, sample: createSample(flat) };
}

function limits(schema: JsonSchema): string {
  const range = (least: number | undefined, most: number | undefined, unit: string) => {
    const end = unit && ` ${unit}${(most ?? least) === 1 ? '' : 's'}`;
    if (least !== undefined && most !== undefined)
      return least === most ? `${least}${end}` : `${least} to ${most}${end}`;
    if (most !== undefined) return `up to ${most}${end}`;
    return least === undefined ? '' : `at least ${least}${end}`;
  };
  const plainMaximum = schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum;
  const plainMinimum = schema.minimum === Number.MIN_SAFE_INTEGER ? undefined : schema.minimum;
  return [
    range(schema.minLength, schema.maxLength, 'character'),
    range(plainMinimum, plainMaximum, ''),
    range(schema.minItems, schema.maxItems, 'item'),
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ]
    .filter(Boolean)
    .join('; ');
}
