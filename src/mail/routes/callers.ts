import { z } from '@hono/zod-openapi';
import { checked } from '../../kernel/http/body.ts';
import type { Ctx } from '../../kernel/http/context.ts';
import { Problem } from '../../kernel/http/problem.ts';
import type { Client, MailService } from '../clients.ts';
import { type Authenticate, requireService } from '../credentials.ts';
import { withFieldNames } from '../fields.ts';

export const credentialsSchema = z.object({
  ClientId: z.string('is required and must be a text').min(1, 'is required').max(200),
  ClientSecret: z.string('is required and must be a text').min(1, 'is required').max(200),
});

const bodySchema = z.record(z.string(), z.unknown(), 'must be a JSON object');

/**
 * The client whose credentials stand in `body`, judged before anything else of it.
 * @throws Problem 400 when they are missing, 401 `bad_client`, 403 `service_not_allowed`, 429
 */
export async function callerOf(c: Ctx, body: unknown, authenticate: Authenticate, service: MailService): Promise<Client> {
  const fields = withFieldNames(credentialsSchema, checked(bodySchema, body));
  const { ClientId, ClientSecret } = checked(credentialsSchema, fields);
  const client = await authenticate(ClientId, ClientSecret, c.get('address'));
  requireService(client, service);
  return client;
}

/** The rest of the body, with the names that the contract gives its fields. @throws Problem 400 that names every wrong field */
export function fieldsOf<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  return checked(schema, withFieldNames(schema, body));
}

/** The client by HTTP Basic (RFC 7617). @throws Problem 401 with the challenge, 429 */
export async function callerByBasic(c: Ctx, authenticate: Authenticate): Promise<Client> {
  const challenge = { 'WWW-Authenticate': 'Basic realm="mail", charset="UTF-8"' };
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(c.req.header('Authorization') ?? '')?.[1];
  const [clientId = '', ...secret] = Buffer.from(encoded ?? '', 'base64')
    .toString('utf8')
    .split(':');
  if (!encoded || secret.length === 0)
    throw new Problem('bad_client', 'Sign in with ClientId and ClientSecret by HTTP Basic.', { headers: challenge });
  return await authenticate(clientId, secret.join(':'), c.get('address')).catch((error) => {
    if (error instanceof Problem && error.code === 'bad_client') throw new Problem('bad_client', error.detail, { headers: challenge });
    throw error;
  });
}
