import type { Config } from '../config/config.ts';
import type { Secrets } from '../config/secrets.ts';
import type { Database } from '../kernel/database/database.ts';
import { hideSecrets } from '../kernel/without-secrets.ts';
import { plainResponse } from '../mail/transports/smtp.ts';
import { checkBlobs } from './blobs.ts';
import { type CheckResult, runCheck } from './check.ts';
import { checkClock } from './clock.ts';
import { checkConfinement } from './confinement/confinement.ts';
import { checkDataDirectory } from './data-directory.ts';
import { checkDatabase, type DatabaseFindings } from './database.ts';
import { checkGeoip } from './geoip.ts';
import { checkKey } from './key.ts';
import { checkManagers } from './managers.ts';
import {
  checkDiscord,
  checkIssuer,
  checkPublicUrl,
  checkServices,
  checkSmtp,
  checkTelegram,
} from './peers.ts';
import { checkSignals } from './postgres.ts';

/** The running server that runs the checks. */
export interface CheckedServer {
  database: Database;
  /** Returns the shared workspaces without a manager who can sign in. */
  unmanaged(): Promise<{ name: string }[]>;
}

/**
 * Checks everything that the settings refer to. Deletes the files and blobs that it writes to test this.
 * @param server null = a command runs the checks, and the workspaces are not checked
 */
export async function runChecks(
  config: Config,
  secrets: Secrets,
  server: CheckedServer | null = null,
): Promise<CheckResult[]> {
  const findings: DatabaseFindings[] = [];
  const database = runCheck('database', () =>
    checkDatabase({
      config,
      secrets,
      running: server?.database ?? null,
      found: (found) => findings.push(found),
    }),
  );
  /** Runs a check that needs the findings of the database check; null = the database did not respond. */
  const afterDatabase = async (check: (found: DatabaseFindings | null) => Promise<string>) => {
    await database;
    return await check(findings[0] ?? null);
  };
  const results = await Promise.all([
    runCheck('data directory', () => checkDataDirectory(config)),
    database,
    runCheck('signals', () => checkSignals(config, secrets)),
    runCheck('key', () => afterDatabase((found) => checkKey(config, secrets, found))),
    runCheck('blobs', () => checkBlobs(config, secrets)),
    runCheck('issuer', () => checkIssuer(config)),
    runCheck('smtp', () => checkSmtp(config, secrets)),
    runCheck('geolocation', () => checkGeoip(config)),
    runCheck('discord', () => afterDatabase((found) => checkDiscord(config, found?.hasBots ?? true))),
    runCheck('telegram', () => checkTelegram(config, secrets)),
    runCheck('services', () => checkServices(config)),
    runCheck('public url', () => checkPublicUrl(config)),
    runCheck('clock', () => afterDatabase((found) => checkClock(found?.clock ?? null))),
    runCheck('confinement', checkConfinement),
    ...(server ? [runCheck('workspaces', () => checkManagers(server.unmanaged))] : []),
  ]);
  return results.map((result) => ({ ...result, detail: hideSecrets(result.detail, secretTexts(secrets)) }));
}

/** Returns the secrets to hide in results, since a peer's error can quote the request, password included. */
function secretTexts({ s3, oidcClientSecret, smtp, telegramToken, metricsToken }: Secrets): string[] {
  const texts = [
    s3?.accessKeyId,
    s3?.secretAccessKey,
    oidcClientSecret,
    smtp?.password,
    smtp && plainResponse({ username: smtp.user, password: smtp.password }),
    telegramToken,
    metricsToken,
  ];
  return texts.filter((text) => text !== undefined && text !== null);
}
