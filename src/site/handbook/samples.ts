import type { JsonSchema } from '../openapi-types.ts';
import { alternativesOf, type Flatten } from './flatten.ts';

/** Returns a valid example value, with the required fields only. @param name of the field */
export type Sample = (schema: JsonSchema, name?: string) => unknown;

export function createSample(flat: Flatten): Sample {
  const sample: Sample = (given, name = '') => {
    const schema = flat(given);
    const declared = declaredSample(schema);
    if (declared !== undefined) return declared;
    const [first] = alternativesOf(schema) ?? [];
    if (first) return sample(first, name);
    const type = [schema.type ?? 'string'].flat()[0];
    if (type === 'object') return sampleObject(schema);
    if (type === 'array') return schema.items ? [sample(schema.items, name)] : [];
    return sampleScalar(schema, type, name);
  };

  const sampleObject = ({ properties = {}, required = [] }: JsonSchema): unknown =>
    Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => required.includes(name))
        .map(([name, inner]) => [name, sample(inner, name)]),
    );

  return sample;
}

/** Returns the example, constant, first enum value or default of a schema. */
function declaredSample({
  examples = [],
  example,
  const: constant,
  enum: values = [],
  ...schema
}: JsonSchema): unknown {
  return [examples[0], example, constant, values[0], schema.default].find((value) => value !== undefined);
}

function sampleScalar(schema: JsonSchema, type: string | undefined, name: string): unknown {
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  return type === 'null' ? null : sampleText(schema, name);
}

function sampleText(schema: JsonSchema, name: string): string {
  if (schema.format === 'email' || /^(?:to|email|from|address)$/i.test(name)) return 'someone@example.org';
  if (schema.format === 'date-time') return '2030-01-31T12:00:00Z';
  if (schema.format === 'uuid') return '0190a5b4-7c1e-7000-8000-000000000000';
  if (schema.format === 'uri' || schema.format === 'url') return 'https://example.org/';
  return name ? `<${name}>` : 'text';
}
