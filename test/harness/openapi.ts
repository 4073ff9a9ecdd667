import type { JsonSchema, OpenApi, Parameter } from '../../src/site/openapi-types.ts';
import type { Posthouse } from './process.ts';

/** Access of endpoints for accounts; in storage, the role that they need in the workspace. */
export const ACCOUNTS: readonly string[] = ['account', 'viewer', 'editor', 'manager'];

export interface Operation {
  /** `GET /api/me`. */
  name: string;
  method: string;
  path: string;
  operationId: string;
  /** Name of the endpoint's `auth`. */
  access: string;
  /** Codes of the refusals. */
  problems: string[];
  parameters: Parameter[];
  /** Schemas of the body by media type. */
  body: Record<string, JsonSchema>;
}

/** Reads `/openapi.json` of a started server. */
export async function readDocument(posthouse: Posthouse) {
  const document = (await (await posthouse.fetch('/openapi.json')).json()) as OpenApi;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, raw]): Operation => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        operationId: raw.operationId ?? '',
        access: raw['x-access'] ?? '',
        problems: Object.values(raw.responses)
          .filter(({ content }) => content?.['application/problem+json'])
          .flatMap(({ description }) => [...description.matchAll(/`(\w+)`/g)].map(([, code]) => code ?? '')),
        parameters: raw.parameters ?? [],
        body: Object.fromEntries(
          Object.entries(raw.requestBody?.content ?? {}).map(([type, { schema }]) => [type, schema ?? {}]),
        ),
      }),
    ),
  );
  return { operations, ...createSampler(document.components?.schemas ?? {}) };
}

function createSampler(schemas: Record<string, JsonSchema>) {
  function resolve(schema: JsonSchema): JsonSchema {
    const name = schema.$ref?.split('/').at(-1);
    if (name !== undefined) return resolve(schemas[name] ?? {});
    const [first] = schema.allOf ?? [];
    return first ? { ...resolve(first), ...schema, allOf: undefined } : schema;
  }

  /** The types that a value may have; all of them where the schema does not restrict it. */
  function typesOf(schema: JsonSchema): string[] {
    const known = resolve(schema);
    const inner = known.anyOf ?? known.oneOf;
    if (inner) return inner.flatMap(typesOf);
    if (known.enum) return known.enum.map((value) => (value === null ? 'null' : typeof value));
    if (known.const !== undefined) return [typeof known.const];
    return known.type === undefined ? ['any'] : [known.type].flat();
  }

  /** The smallest value that fits. */
  function sample(schema: JsonSchema): unknown {
    const known = resolve(schema);
    if (known.example !== undefined) return known.example;
    if (known.const !== undefined) return known.const;
    if (known.enum) return known.enum[0];
    const [first] = known.anyOf ?? known.oneOf ?? [];
    if (first) return sample(first);
    const [type] = [known.type ?? 'object'].flat();
    if (type === 'string') return sampleText(known);
    if (type === 'integer' || type === 'number') return known.minimum ?? 1;
    if (type === 'boolean') return true;
    if (type === 'array') return Array.from({ length: known.minItems ?? 1 }, () => sample(known.items ?? {}));
    const names = known.required ?? Object.keys(known.properties ?? {}).slice(0, 1);
    return Object.fromEntries(names.map((name) => [name, sample(known.properties?.[name] ?? {})]));
  }

  /** A value of a type that the schema does not allow; undefined = every type is allowed. */
  function misfit(schema: JsonSchema): unknown {
    const types = typesOf(schema);
    if (types.includes('any')) return undefined;
    const candidates: [string[], unknown][] = [
      [['number', 'integer'], 12.5],
      [['boolean'], true],
      [['string'], 'misfit'],
      [['object'], { misfit: 1 }],
      [['array'], [{ misfit: 1 }]],
    ];
    return candidates.find(([names]) => !names.some((name) => types.includes(name)))?.[1];
  }

  return { sample, misfit, resolve, typesOf };
}

function sampleText({ format, minLength = 1 }: JsonSchema): string {
  if (format === 'uuid') return '019a0000-0000-7000-8000-000000000000';
  if (format === 'date-time') return '2030-01-01T00:00:00Z';
  if (format === 'email') return 'someone@example.org';
  return 'a'.repeat(Math.max(minLength, 1));
}
