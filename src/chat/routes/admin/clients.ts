import { z } from '@hono/zod-openapi';
import { json } from '../../../kernel/http/bodies/request-body.ts';
import type { App } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import type { CheckToken } from '../../directory/bot-token.ts';
import { clientJson } from '../../directory/record-json.ts';
import { clientChange, clientSchema, clientWithKeySchema, newClient } from './schemas.ts';
import { type AdminDeps, administration, ofRecord } from './shared.ts';

interface ClientsDeps extends AdminDeps {
  checkToken: CheckToken;
}

/** Clients: the bots that send. */
export function mountClients(app: App, deps: ClientsDeps): void {
  mountAll(app, deps);
  mountOne(app, deps);
}

function mountAll(app: App, deps: ClientsDeps): void {
  const { database, directory, change, checkToken } = deps;
  const shared = { ...administration(deps), path: '/api/admin/chat/clients' } as const;

  endpoint(app, {
    ...shared,
    method: 'get',
    operation: 'listChatClients',
    summary: 'List the chat clients',
    responses: { 200: { description: 'Ordered by name.', schema: z.array(clientSchema) } },
    handler: async () => (await directory.clients(database.read)).map((client) => clientJson({ client })),
  });

  endpoint(app, {
    ...shared,
    method: 'post',
    operation: 'createChatClient',
    summary: 'Create a chat client',
    body: json(newClient),
    responses: {
      201: {
        description: 'The client. Without a token its messages go to the sandbox.',
        schema: clientWithKeySchema,
      },
    },
    problems: ['name_taken'],
    async handler({ body }) {
      const checked = await checkToken(body.token);
      return { ...clientJson(await change((trx) => directory.addClient(trx, body))), ...checked };
    },
  });
}

function mountOne(app: App, deps: ClientsDeps): void {
  const { directory, pauses, change, checkToken } = deps;
  const shared = { ...ofRecord(deps), path: '/api/admin/chat/clients/{id}' } as const;

  endpoint(app, {
    ...shared,
    method: 'patch',
    operation: 'updateChatClient',
    summary: 'Change or resume a chat client',
    body: json(clientChange),
    responses: {
      200: { description: 'The changed client. A new token also ends a pause.', schema: clientWithKeySchema },
    },
    problems: ['unknown_client', 'name_taken'],
    async handler({ params: { id }, body: { paused, ...settings } }) {
      const checked = await checkToken(settings.token);
      const changed = await change(async (trx) => {
        if (paused === false || settings.token !== undefined || settings.enabled)
          await pauses.lift(trx, { of: 'client', id });
        return await directory.changeClient(trx, id, settings);
      });
      return { ...clientJson(changed), ...checked };
    },
  });

  endpoint(app, {
    ...shared,
    method: 'delete',
    operation: 'deleteChatClient',
    summary: 'Delete a chat client with its guilds and channels',
    responses: { 204: { description: 'Deleted. Messages waiting for its channels will fail.' } },
    problems: ['unknown_client'],
    handler: ({ params: { id } }) => change((trx) => directory.remove(trx, 'client', id)),
  });
}
