/**
 * The subset of JSON Schema 2020-12 in OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.0) that this server
 * generates.
 */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  schema?: Schema;
  description?: string;
}

export type ContentByType = Record<string, { schema?: Schema }>;

export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: ContentByType };
  responses: Record<string, { description: string; content?: ContentByType }>;
  /** Name of the endpoint's `auth`. */
  'x-access'?: string;
  /** Codes of the error responses, before they are expanded into `responses`. */
  'x-problems'?: string[];
}

export interface OpenApi {
  info: { title: string; version: string; description?: string };
  servers?: { url: string }[];
  tags?: { name: string; description: string }[];
  /** An extension of Redoc (`x-tagGroups`), which other tools show too. */
  'x-tagGroups'?: { name: string; tags: string[] }[];
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}

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
  fields(schema: Schema): Field[];
  /** Returns a description of the type, such as `array of string or null`. */
  typeOf(schema: Schema): string;
  /** Returns a valid example value, with the required fields only. */
  sample(schema: Schema, name?: string): unknown;
}

export function createSchemas(document: OpenApi): Schemas {
  const named = document.components?.schemas ?? {};
  const resolve = (schema: Schema): Schema => {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined
      ? schema
      : { ...named[name], ...(schema.description ? { description: schema.description } : {}) };
  };

  /** Resolves `$ref` and merges `allOf`. */
  const flat = (given: Schema): Schema => {
    const schema = resolve(given);
    if (schema.allOf) {
      const members = schema.allOf.map(flat);
      return {
        ...schema,
        type: 'object',
        properties: Object.assign({}, ...members.map(({ properties }) => properties), schema.properties),
        required: [...members.flatMap(({ required }) => required ?? []), ...(schema.required ?? [])],
        allOf: undefined,
      };
    }
    return schema;
  };

  const alternatives = (schema: Schema): Schema[] | undefined => schema.anyOf ?? schema.oneOf;

  const typeOf = (given: Schema): string => {
    const schema = flat(given);
    const either = alternatives(schema);
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
  const objectIn = (given: Schema): { object: Schema; suffix: string } | null => {
    const schema = flat(given);
    if (schema.properties) return { object: schema, suffix: '' };
    if (schema.items) {
      const inner = objectIn(schema.items);
      return inner && { ...inner, suffix: `[]${inner.suffix}` };
    }
    return alternatives(schema)?.map(objectIn).find(Boolean) ?? null;
  };

  const fields = (schema: Schema, prefix = '', depth = 0): Field[] => {
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

  const sample = (given: Schema, name = ''): unknown => {
    const schema = flat(given);
    const declared = declaredSample(schema);
    if (declared !== undefined) return declared;
    const [first] = alternatives(schema) ?? [];
    if (first) return sample(first, name);
    const type = [schema.type ?? 'string'].flat()[0];
    if (type === 'object') return sampleObject(schema);
    if (type === 'array') return schema.items ? [sample(schema.items, name)] : [];
    return sampleScalar(schema, type, name);
  };

  const sampleObject = ({ properties = {}, required = [] }: Schema): unknown =>
    Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => required.includes(name))
        .map(([name, inner]) => [name, sample(inner, name)]),
    );

  return { fields: (schema) => fields(schema), typeOf, sample };
}

function limits(schema: Schema): string {
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

/** Returns the example, constant, first enum value or default of a schema. */
function declaredSample({
  examples = [],
  example,
  const: constant,
  enum: values = [],
  ...schema
}: Schema): unknown {
  return [examples[0], example, constant, values[0], schema.default].find((value) => value !== undefined);
}

function sampleScalar(schema: Schema, type: string | undefined, name: string): unknown {
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  return type === 'null' ? null : sampleText(schema, name);
}

function sampleText(schema: Schema, name: string): string {
  if (schema.format === 'email' || /^(?:to|email|from|address)$/i.test(name)) return 'someone@example.org';
  if (schema.format === 'date-time') return '2030-01-31T12:00:00Z';
  if (schema.format === 'uuid') return '0190a5b4-7c1e-7000-8000-000000000000';
  if (schema.format === 'uri' || schema.format === 'url') return 'https://example.org/';
  return name ? `<${name}>` : 'text';
}
