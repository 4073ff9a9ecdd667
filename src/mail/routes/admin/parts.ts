import type { EndpointDoc } from '../../../kernel/http/endpoint.ts';
import { invalidField } from '../../../kernel/http/problem.ts';
import type { Client, Clients } from '../../clients.ts';

/** What all endpoints of administrators have in common. */
export const ADMIN = { tags: ['mail administration'], security: ['session'] } satisfies Pick<EndpointDoc, 'tags' | 'security'>;
export const READS = ['login_required', 'admin_required'] as const;
export const WRITES = [...READS, 'cross_site_request', 'invalid_request', 'unsupported_media_type', 'body_too_large'] as const;

/** The client through which something is tried; null = the server itself. @throws Problem 400 for one that is not there */
export async function clientToTry(clients: Clients, clientId: string | undefined): Promise<Client | null> {
  if (clientId === undefined) return null;
  const client = await clients.find(clientId);
  if (!client) throw invalidField('clientId', 'must be the id of a client');
  return client;
}
