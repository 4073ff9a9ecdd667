import type { OpenApi, Operation } from '../openapi-types.ts';
import type { Placed } from './places.ts';
import type { Schemas } from './schemas.ts';

/** Returns a command to paste into a shell; the names in capitals after `$` are variables to set first. */
export function curlLine(
  { servers }: OpenApi,
  { method, path, operation }: Pick<Placed, 'method' | 'path' | 'operation'>,
  schemas: Schemas,
): string {
  const base = servers?.[0]?.url ?? '';
  const query = (operation.parameters ?? []).filter(
    (parameter) => parameter.in === 'query' && parameter.required,
  );
  const search = query
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(schemas.sample(schema ?? {}, name)))}`)
    .join('&');
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${shellName(name)}`);
  const address = base + filled + (search && `?${search}`);
  return [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "${address}"`,
    ...credentials(operation),
    ...requiredHeaders(operation, schemas),
    ...body(operation, schemas),
    ...(isBytes(operation) ? ['-o file'] : []),
  ].join(' \\\n  ');
}

function credentials({ security = [] }: Operation): string[] {
  const names = security.flatMap((requirement) => Object.keys(requirement));
  if (names.length < security.length) return [];
  if (names.includes('bearer')) return ['-H "Authorization: Bearer $TOKEN"'];
  if (names.includes('basic')) return ['-u "$CLIENT_ID:$CLIENT_SECRET"'];
  if (names.includes('session')) return ['-b "posthouse=$SESSION"'];
  return [];
}

function requiredHeaders({ parameters = [] }: Operation, schemas: Schemas): string[] {
  return parameters
    .filter((parameter) => parameter.in === 'header' && parameter.required)
    .map(({ name, schema }) => `-H "${name}: ${schemas.sample(schema ?? {}, name)}"`);
}

function body({ requestBody }: Operation, schemas: Schemas): string[] {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined) return [];
  const sample = schemas.sample(media?.schema ?? {});
  if (type.endsWith('json')) return [`-H "Content-Type: ${type}"`, `-d ${quoted(JSON.stringify(sample))}`];
  const fields = typeof sample === 'object' && sample !== null ? Object.entries(sample) : [];
  if (type === 'multipart/form-data')
    return fields.map(([name, value]) => `-F ${quoted(`${name}=${name === 'file' ? '@photo.jpg' : value}`)}`);
  if (type === 'application/x-www-form-urlencoded')
    return fields.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`);
  return [`-H "Content-Type: ${type}"`, '--data-binary @file'];
}

function isBytes({ responses }: Operation): boolean {
  const types = Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') ? Object.keys(content ?? {}) : [],
  );
  return types.some(
    (type) =>
      type === 'application/octet-stream' ||
      type === 'application/zip' ||
      type === '*/*' ||
      /^(?:image|audio|video)\//.test(type),
  );
}

/** `folderId` as `FOLDER_ID`. */
function shellName(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
}

/** Quotes a text as one word for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
