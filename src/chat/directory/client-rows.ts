import type { Clock } from '../../kernel/clock.ts';
import { digestOf } from '../../kernel/crypto/digest.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Transaction } from '../../kernel/database/database.ts';
import { newId, newToken } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import type { PlatformName } from '../tables.ts';
import { sealBotToken } from './bot-token.ts';
import { foldName, requireName } from './names.ts';
import { type ClientRecord, clientRecord, unknown } from './records.ts';
import { changeTargets } from './target-revision.ts';

export interface NewClient {
  name: string;
  platform: PlatformName;
  /** Null = sandbox. */
  token: string | null;
  /** True = callers must send an `X-Relay-Key`. */
  relayKey: boolean;
}

/** Undefined = unchanged. */
export interface ClientChange {
  name?: string;
  platform?: PlatformName;
  token?: string | null;
  /** True = a new key, null = none. */
  relayKey?: true | null;
  enabled?: boolean;
}

/** @property relayKey the new relay key, which only this result contains; null = none was created */
export interface SavedClient {
  client: ClientRecord;
  relayKey: string | null;
}

interface ClientRowsDeps {
  vault: Vault;
  clock: Clock;
}

export async function addClient(
  trx: Transaction,
  { vault, clock }: ClientRowsDeps,
  { name, platform, token, relayKey }: NewClient,
): Promise<SavedClient> {
  requireName(name);
  await requireFreeName(trx, name, null);
  const id = newId();
  const key = relayKey ? newToken() : null;
  const row = await trx
    .insertInto('chat_clients')
    .values({
      id,
      name,
      name_key: foldName(name),
      platform,
      bot_token: sealBotToken(vault, id, token),
      relay_key_hash: key === null ? null : digestOf(key),
      enabled: 1,
      date_created: clock.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { client: clientRecord(vault, row), relayKey: key };
}

export async function changeClient(
  trx: Transaction,
  { vault }: ClientRowsDeps,
  id: string,
  { name, platform, token, relayKey, enabled }: ClientChange,
): Promise<SavedClient> {
  if (name !== undefined) {
    requireName(name);
    await requireFreeName(trx, name, id);
  }
  const key = relayKey === true ? newToken() : null;
  const row = await trx
    .updateTable('chat_clients')
    .set({
      ...(name === undefined ? {} : { name, name_key: foldName(name) }),
      platform,
      bot_token: token === undefined ? undefined : sealBotToken(vault, id, token),
      relay_key_hash: relayKey === undefined ? undefined : key && digestOf(key),
      enabled: enabled === undefined ? undefined : Number(enabled),
      id,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow(() => unknown('client'));
  await changeTargets(trx);
  return { client: clientRecord(vault, row), relayKey: key };
}

async function requireFreeName(trx: Transaction, name: string, except: string | null): Promise<void> {
  const other = await trx
    .selectFrom('chat_clients')
    .select('id')
    .where('name_key', '=', foldName(name))
    .executeTakeFirst();
  if (other && other.id !== except)
    throw new Problem('name_taken', `A chat client named “${name}” already exists.`);
}
