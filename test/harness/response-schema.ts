import type { JsonSchema, OpenApi } from '../../src/site/openapi-types.ts';

/**
 * Returns a function that lists the paths of what a value has in addition to a schema, lacks, or has with another type.
 * Unknown properties differ, unlike in JSON Schema.
 */
export function createComparison({ components }: Pick<OpenApi, 'components'>) {
  const schemas = components?.schemas ?? {};
  const known = new Map<JsonSchema, JsonSchema[]>();

  function alternativesOf(schema: JsonSchema): JsonSchema[] {
    const found = known.get(schema) ?? findAlternatives(schema);
    known.set(schema, found);
    return found;
  }

  /** Returns the alternatives of a schema: objects with the properties of all parts of an `allOf`. */
  function findAlternatives(schema: JsonSchema): JsonSchema[] {
    const name = schema.$ref?.split('/').at(-1);
    if (name !== undefined) return alternativesOf(schemas[name] ?? {});
    const { anyOf, oneOf, allOf, ...own } = schema;
    const inner = anyOf ?? oneOf;
    if (inner) return inner.flatMap(alternativesOf);
    return (allOf ?? []).reduce<JsonSchema[]>(
      (found, part) =>
        found.flatMap((left) =>
          alternativesOf(part).map((right) => ({ ...left, ...right, ...joined(left, right) })),
        ),
      [own],
    );
  }

  function differences(schema: JsonSchema, value: unknown, path = ''): string[] {
    const all = alternativesOf(schema);
    const ofType = all.filter((each) => typesOf(each).some((type) => isOf(type, value)));
    const found = (ofType.length > 0 ? ofType : all).map((each) => differencesOf(each, value, path));
    return found.sort((a, b) => a.length - b.length)[0] ?? [];
  }

  function differencesOf(schema: JsonSchema, value: unknown, path: string): string[] {
    const types = typesOf(schema);
    if (!types.some((type) => isOf(type, value))) return [`${path} is not ${types.join(' or ')}`];
    if (schema.enum && !schema.enum.includes(value)) return [`${path} is not in enum`];
    if (Array.isArray(value))
      return value.flatMap((each) => differences(schema.items ?? {}, each, `${path}[]`));
    if (typeof value !== 'object' || value === null) return [];
    const { properties = {}, required = [], additionalProperties } = schema;
    if (!schema.properties && schema.type === undefined) return [];
    const other = typeof additionalProperties === 'object' ? additionalProperties : null;
    const missing = required.filter((name) => !(name in value)).map((name) => `${path}.${name} is missing`);
    const wrong = Object.entries(value).flatMap(([name, inner]) => {
      const declared = properties[name] ?? other;
      return declared ? differences(declared, inner, `${path}.${name}`) : [`${path}.${name} is not declared`];
    });
    return [...missing, ...wrong];
  }

  return differences;
}

const joined = (left: JsonSchema, right: JsonSchema): JsonSchema => ({
  properties: { ...left.properties, ...right.properties },
  required: [...(left.required ?? []), ...(right.required ?? [])],
});

const typesOf = ({ type = 'any' }: JsonSchema) => [type].flat();

function isOf(type: string, value: unknown): boolean {
  if (type === 'any') return true;
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}
