import type { Config } from '../config/config.ts';
import type { Secrets } from '../config/secrets.ts';
import { type DatabaseFindings, examineBlobs, examineDatabase, examineDataDirectory, examineKey } from './house.ts';
import { examine, type Part } from './part.ts';
import { examineClock, examineDiscord, examineIssuer, examinePublicUrl, examineSmtp, examineTelegram } from './peers.ts';

/** Tries every part that the settings name; changes none. */
export async function examineAll(config: Config, secrets: Secrets): Promise<Part[]> {
  const findings: DatabaseFindings[] = [];
  const database = examine('database', () => examineDatabase(config, secrets, (found) => findings.push(found)));
  /** What the database told, for a part that asks it; null = it did not answer. */
  const afterDatabase = async (look: (found: DatabaseFindings | null) => Promise<string>) => {
    await database;
    return await look(findings[0] ?? null);
  };
  const parts = await Promise.all([
    examine('data directory', () => examineDataDirectory(config)),
    database,
    examine('key', () => afterDatabase((found) => examineKey(config, secrets, found))),
    examine('blobs', () => examineBlobs(config, secrets)),
    examine('issuer', () => examineIssuer(config)),
    examine('smtp', () => examineSmtp(config, secrets)),
    examine('discord', () => afterDatabase((found) => examineDiscord(config, found?.hasBots ?? true))),
    examine('telegram', () => examineTelegram(config, secrets)),
    examine('public url', () => examinePublicUrl(config)),
    examine('clock', () => afterDatabase((found) => examineClock(found?.clock ?? null))),
  ]);
  return parts.map((part) => ({ ...part, detail: without(secretTexts(secrets), part.detail) }));
}

/** A peer may repeat what it was told, the password included. */
function secretTexts({ s3, oidcClientSecret, smtp, telegramToken, metricsToken }: Secrets): string[] {
  const plain = [s3?.accessKeyId, s3?.secretAccessKey, oidcClientSecret, smtp?.password, telegramToken, metricsToken];
  return plain.flatMap((text) => (text && text.length > 3 ? [text, encodeURIComponent(text), Buffer.from(text).toString('base64')] : []));
}

function without(secrets: readonly string[], text: string): string {
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, '[hidden]'), text);
}
