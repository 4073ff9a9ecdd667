import { z } from '@hono/zod-openapi';
import type { Auth } from '../../kernel/http/auth.ts';
import { checked } from '../../kernel/http/bodies/read-body.ts';
import type { RequestBody } from '../../kernel/http/bodies/request-body.ts';
import type { Ctx } from '../../kernel/http/context.ts';
import { fieldReader, unrestricted } from '../../kernel/http/fields.ts';
import { HttpProblem } from '../../kernel/http/problems/problems.ts';
import { isPlainObject } from '../../kernel/plain-object.ts';
import { Problem } from '../../kernel/problem.ts';
import type { MailService } from '../clients/client-settings.ts';
import type { Client } from '../clients/clients.ts';
import { type Authenticate, requireService } from '../clients/credentials.ts';

export const credentialsSchema = z.object({
  ClientId: z.string().min(1, 'is required').max(200),
  ClientSecret: z.string().min(1, 'is required').max(200),
});

type Credentials = z.output<typeof credentialsSchema>;

const anyObject = z.custom<Record<string, unknown>>(isPlainObject, 'must be a JSON object');

const readCredentials = fieldReader(credentialsSchema);

export interface ClientAuth {
  /**
   * Admits clients that may use `service`, by ClientId and ClientSecret in the body, which are checked before the other
   * fields.
   * @throws Problem 400 when they are missing, 401 `bad_client`, 403 `service_not_allowed`, 429 `too_many_attempts`
   */
  clientOf(service: MailService): Auth<Client>;
  /**
   * Admits clients by HTTP Basic (RFC 7617).
   * @throws Problem 401 `bad_client` with a challenge, 429 `too_many_attempts`
   */
  basic: Auth<Client>;
}

export function createClientAuth(authenticate: Authenticate): ClientAuth {
  return {
    clientOf: (service) => ({
      name: 'client',
      security: [],
      problems: () => ['invalid_request', 'bad_client', 'service_not_allowed', 'too_many_attempts'],
      async authenticate(c, body) {
        const { ClientId, ClientSecret } = readCredentials(checked(anyObject, await body()), unrestricted());
        const client = await authenticate(ClientId, ClientSecret, c.env.address);
        requireService(client, service);
        return client;
      },
      idOf,
    }),
    basic: {
      name: 'client (Basic)',
      security: ['basic'],
      problems: () => ['bad_client', 'too_many_attempts'],
      authenticate: (c) => authenticateBasic(c, authenticate),
      idOf,
    },
  };
}

const idOf = ({ id }: Client) => id;

async function authenticateBasic(c: Ctx, authenticate: Authenticate): Promise<Client> {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(c.req.header('Authorization') ?? '')?.[1] ?? '';
  const [clientId = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  if (secret.length === 0) throw badClient('Send ClientId and ClientSecret by HTTP Basic.');
  return await authenticate(clientId, secret.join(':'), c.env.address).catch((error) => {
    throw error instanceof Problem && error.code === 'bad_client' ? badClient(error.detail) : error;
  });
}

function badClient(detail: string): Problem {
  const headers = { 'WWW-Authenticate': 'Basic realm="mail", charset="UTF-8"' };
  return new HttpProblem('bad_client', detail, { headers });
}

/**
 * Returns `body` without the credentials, which `clientOf` has checked: handlers must neither store nor compare them.
 */
export function withoutCredentials<Value extends Credentials>(
  body: RequestBody<Value>,
): RequestBody<Omit<Value, keyof Credentials>> {
  return {
    ...body,
    parse(value, notes) {
      const { ClientId: _, ClientSecret: __, ...rest } = body.parse(value, notes);
      return rest;
    },
  };
}
