import { BOT_TOKEN_PURPOSE } from '../chat/directory/bot-token.ts';
import { ISSUER_KEYS } from '../identity/issuer/keys.ts';
import { PAYLOAD_PURPOSE } from '../identity/issuer/payloads.ts';
import { ID_TOKEN_PURPOSE } from '../identity/sessions.ts';
import type { SealedColumn } from '../kernel/crypto/reseal.ts';
import { SECRET_PURPOSE } from '../kernel/outbox/rows.ts';
import { CLIENT_SECRETS } from '../mail/clients/client-secrets.ts';
import { ACCESS_KEY_PURPOSE } from '../storage/tree/files/files.ts';

/** Every column with sealed values. */
export const SEALED: readonly SealedColumn[] = [
  { table: 'outbox', column: 'secret', row: 'id', purpose: SECRET_PURPOSE },
  { table: 'sessions', column: 'id_token', row: 'id', purpose: ID_TOKEN_PURPOSE },
  { table: 'issuer_payloads', column: 'payload', row: 'id', purpose: PAYLOAD_PURPOSE },
  { table: 'facts', column: 'value', row: 'name', purpose: ISSUER_KEYS, only: ISSUER_KEYS },
  { table: 'files', column: 'access_key', row: 'id', purpose: ACCESS_KEY_PURPOSE },
  { table: 'chat_clients', column: 'bot_token', row: 'id', purpose: BOT_TOKEN_PURPOSE },
  ...Object.entries(CLIENT_SECRETS).map(([column, purpose]) => ({
    table: 'mail_clients',
    column,
    row: 'id',
    purpose,
  })),
];
