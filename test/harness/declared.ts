import type { OpenApi, Operation } from '../../src/site/openapi-types.ts';
import type { Posthouse } from './process.ts';
import { createComparison } from './response-schema.ts';

/** Larger JSON is not compared. */
const MAX_LENGTH = 256 * 1024;

/** Codes with which every operation can be refused. */
const EVERYWHERE: ReadonlySet<string> = new Set(['internal_error', 'unavailable', 'method_not_allowed']);

/** Returns a function that describes how a response differs from its declaration; null = it does not. */
function createDeclarations(document: OpenApi) {
  const differences = createComparison(document);
  const patterns = Object.entries(document.paths)
    .map(([path, item]) => ({
      item,
      parameters: path.split('{').length,
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`, 'i'),
    }))
    .sort((a, b) => a.parameters - b.parameters);

  const operationOf = (method: string, path: string): Operation | undefined => {
    const item = patterns.find(({ pattern }) => pattern.test(path))?.item;
    return item?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
  };

  return async (method: string, path: string, response: Response): Promise<string | null> => {
    const operation = operationOf(method, path);
    if (!operation) return null;
    const { status, headers } = response;
    const name = `${method} ${path}: ${status}`;
    const [type = ''] = (headers.get('Content-Type') ?? '').split(';');
    const declared = operation.responses[status] ?? operation.responses[`${String(status)[0]}XX`];
    const isJson = /[/+]json$/.test(type) && Number(headers.get('Content-Length') ?? 0) <= MAX_LENGTH;
    // A response that breaks off is for the test to judge.
    const text = isJson
      ? await response
          .clone()
          .text()
          .catch(() => '')
      : '';
    const value: unknown = text === '' ? undefined : JSON.parse(text);
    const code = type === 'application/problem+json' ? (value as { code?: string })?.code : undefined;
    if (code !== undefined && EVERYWHERE.has(code)) return null;
    if (!declared) return `${name} is not declared${code ? ` (${code})` : ''}`;
    if (
      code !== undefined &&
      declared.description.startsWith('`') &&
      !declared.description.includes(`\`${code}\``)
    )
      return `${name}: code ${code} is not declared`;
    if (value === undefined) return null;
    const schema = declared.content?.[type]?.schema;
    if (!schema) return `${name}: ${type} is not declared`;
    const found = differences(schema, value);
    return found.length === 0 ? null : `${name}: ${found.slice(0, 10).join(', ')}`;
  };
}

/** Returns a `fetch` that throws when a response differs from its declaration in the OpenAPI document. */
export async function fetchingDeclared({ url, fetch }: Posthouse): Promise<Posthouse['fetch']> {
  const deviationOf = createDeclarations((await (await fetch('/openapi.json')).json()) as OpenApi);
  return async (path, init) => {
    const response = await fetch(path, init);
    const found = await deviationOf(init?.method ?? 'GET', new URL(path, url).pathname, response);
    if (found !== null) throw new Error(`a response differs from the OpenAPI document: ${found}`);
    return response;
  };
}
