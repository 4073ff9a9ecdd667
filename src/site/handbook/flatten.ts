import type { JsonSchema } from '../openapi-types.ts';

/** Resolves `$ref` and merges `allOf`. */
export type Flatten = (schema: JsonSchema) => JsonSchema;

/** @param named schemas of the document by name */
export function createFlatten(named: Readonly<Record<string, JsonSchema>>): Flatten {
  const resolve = (schema: JsonSchema): JsonSchema => {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined
      ? schema
      : { ...named[name], ...(schema.description ? { description: schema.description } : {}) };
  };

  const flat: Flatten = (given) => {
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

  return flat;
}

/** Returns the alternatives of a schema; undefined = it has none. */
export function alternativesOf(schema: JsonSchema): JsonSchema[] | undefined {
  return schema.anyOf ?? schema.oneOf;
}
