import { batchesOf } from '../kernel/batches-of.ts';
import { createTimeSlices } from '../kernel/event-loop/time-slices.ts';
import { type App, createApp } from '../kernel/http/context.ts';
import type { Problems } from '../kernel/http/problems/problems.ts';
import type { OpenApi, Operation } from './openapi-types.ts';

export interface OpenApiDeps {
  problems: Problems;
  version: string;
  /** The public address, without a slash at the end. */
  publicUrl: string;
}

/** Descriptions of the tags, by subject, in the order of the document. */
const SUBJECTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Storage: {
    files: 'Upload, read, share, move and delete files.',
    'resumable uploads':
      'Uploads that can continue after a broken connection, by the tus protocol 1.0.0 (https://tus.io).',
    folders: 'Arrange files in folders, and export a folder as a ZIP file.',
    versions: 'Earlier contents of a file.',
    trash: 'List, restore and erase deleted files and folders.',
    sharing: 'Files for people without an account, by link, access key and password.',
    usage: 'Workspaces, quotas and used space.',
    workspaces: 'Workspaces and their quotas, for administrators.',
  },
  Chat: {
    chat: 'Send messages to Discord channels.',
    'chat administration': 'Chat clients, guilds and channels, for administrators.',
  },
  Mail: {
    mail: 'Send e-mail, Telegram messages and contact forms. Requires ClientId and ClientSecret.',
    'mail administration': 'Mail clients, templates and blocked forms, for administrators.',
  },
  Accounts: {
    login: 'Sign-in through an OpenID provider.',
    account: 'The tokens, sessions and password of the signed-in account.',
    people: 'Accounts and invitations, for administrators.',
  },
  Operation: {
    events: 'A stream of changes, as they happen.',
    messages: 'All messages with their delivery state, for administrators.',
    operation: 'Health, metrics and the overview of the server.',
  },
};

const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'Problem details (RFC 9457).',
  properties: {
    type: { type: 'string', description: 'Documentation of the code, relative to the server.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string' },
    requestId: { type: 'string' },
    errors: {
      type: 'array',
      description: 'The invalid fields.',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, message: { type: 'string' } },
        required: ['path', 'message'],
      },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
} as const;

/** Number of endpoints that are described without a pause. Each takes up to a millisecond. */
const AT_ONCE = 4;

/**
 * Returns the OpenAPI 3.1 document of all endpoints mounted on `app`. The work is divided into time slices, since it
 * takes 100 ms.
 */
export async function openApiDocument(
  app: App,
  { problems, version, publicUrl }: OpenApiDeps,
  giveWay = createTimeSlices(),
): Promise<OpenApi> {
  const components = createApp();
  registerComponents(components, problems, publicUrl);
  const { definitions } = app.openAPIRegistry;
  const routes = definitions.flatMap((each) => ('type' in each && each.type === 'route' ? [each.route] : []));
  const head = {
    openapi: '3.1.0',
    info: {
      title: 'Posthouse',
      version,
      description: 'Files, chat relay and mail for a team’s applications. API v.1',
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      contact: { name: 'The operator of this server', url: publicUrl },
    },
    servers: [{ url: publicUrl }],
  };
  const document = components.getOpenAPI31Document(head) as unknown as OpenApi;
  for (const batch of batchesOf(routes, AT_ONCE)) {
    const group = createApp();
    for (const route of batch) group.openAPIRegistry.registerPath(route);
    add(document, group.getOpenAPI31Document(head) as unknown as OpenApi);
    await giveWay();
  }
  const statusOf = new Map(problems.list().map(({ code, status }) => [code, status]));
  const used = new Set<string>();
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    addErrors(operation, statusOf);
    for (const tag of operation.tags ?? []) used.add(tag);
  }
  document.tags = Object.values(SUBJECTS).flatMap((tags) =>
    Object.entries(tags).flatMap(([name, description]) => (used.has(name) ? [{ name, description }] : [])),
  );
  document['x-tagGroups'] = Object.entries(SUBJECTS).flatMap(([name, all]) => {
    const tags = Object.keys(all).filter((tag) => used.has(tag));
    return tags.length > 0 ? [{ name, tags }] : [];
  });
  return document;
}

function registerComponents(app: App, problems: Problems, publicUrl: string): void {
  const cookie = publicUrl.startsWith('https:') ? '__Host-posthouse' : 'posthouse';
  const schemes = {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: cookie,
      description: 'Session cookie, set by the sign-in.',
    },
    bearer: { type: 'http', scheme: 'bearer', description: 'A personal access token.' },
    basic: { type: 'http', scheme: 'basic', description: 'ClientId and ClientSecret of a mail client.' },
  } as const;
  for (const [name, scheme] of Object.entries(schemes))
    app.openAPIRegistry.registerComponent('securitySchemes', name, scheme);
  app.openAPIRegistry.registerComponent('schemas', 'Problem', problemSchema(problems));
  const serverError = { description: SERVER_ERROR, content: PROBLEM };
  app.openAPIRegistry.registerComponent('responses', 'ServerError', serverError);
}

function problemSchema(problems: Problems): object {
  const codes = problems.list().map(({ code }) => code);
  const code = {
    type: 'string',
    description: 'Stable identifier of the problem. A later version can add codes.',
    enum: codes.toSorted(),
  };
  return { ...PROBLEM_SCHEMA, properties: { ...PROBLEM_SCHEMA.properties, code } };
}

/** Adds the operations of another document, and the schemas that they refer to. */
function add(document: OpenApi, { paths, components }: OpenApi): void {
  for (const [path, operations] of Object.entries(paths))
    document.paths[path] = { ...document.paths[path], ...operations };
  const known = document.components?.schemas ?? {};
  // The first use of a schema determines its description.
  for (const [name, schema] of Object.entries(components?.schemas ?? {})) known[name] ??= schema;
  document.components = { ...document.components, schemas: known };
}

/** Replaces `x-problems` by one response for each status. */
function addErrors(operation: Operation, statusOf: ReadonlyMap<string, number>): void {
  const { 'x-problems': codes = [] } = operation;
  delete operation['x-problems'];
  for (const [status, names] of Map.groupBy(codes, (code) => statusOf.get(code) ?? 500)) {
    operation.responses[status] = {
      description: names.map((name) => `\`${name}\``).join(', '),
      content: PROBLEM,
    };
  }
  operation.responses['5XX'] = { $ref: '#/components/responses/ServerError', description: SERVER_ERROR };
  // Every request can be malformed, even where the endpoint itself refuses nothing.
  if (!Object.keys(operation.responses).some((status) => status.startsWith('4')))
    operation.responses['4XX'] = { description: 'The request is malformed.', content: PROBLEM };
}

const SERVER_ERROR = 'The server failed, is too busy, or lacks disk space or a system that it needs.';
const PROBLEM = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
