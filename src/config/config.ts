import { join } from 'node:path';
import type { RawSettings } from './env.ts';
import type { LogLevel, S3Bucket, ServiceName, SmtpServer } from './formats.ts';
import { type Secrets, shapeSecrets } from './secrets.ts';
import { parseSettings, type SettingName, type SettingValues } from './settings.ts';

/** The configuration of the server. Null = the feature is disabled. Contains no secret and may be logged. */
export interface Config {
  host: string;
  port: number;
  /** URL without a slash at its end; null = http://localhost and the port of the listener. */
  publicUrl: string | null;
  /** Further addresses at which people sign in. */
  otherUrls: readonly string[];
  services: ReadonlySet<ServiceName>;
  /** Number of processes on this machine that serve requests. */
  processes: number;
  dataDir: string;
  database: { kind: 'sqlite'; file: string } | { kind: 'postgres'; host: string; connections: number };
  /** @property redirect downloads are redirected to the bucket */
  blobs: { kind: 'local'; directory: string } | ({ kind: 's3'; redirect: boolean } & S3Bucket);
  /** Null = the embedded issuer. */
  externalIssuer: { url: string; clientId: string; scope: string } | null;
  /** E-mail addresses and `@domain`s, lower case. */
  accountsAllowed: string[];
  adminEmail: string | null;
  /**
   * Null = sandbox.
   * @property verifyTls false = any certificate of this server is accepted
   */
  smtp: (Omit<SmtpServer, 'credentials'> & { verifyTls: boolean }) | null;
  /** Name in EHLO; null = derived from the public URL. */
  smtpName: string | null;
  /** Sender of e-mails through the server's own SMTP server and in the sandbox. Never null if `smtp` is set. */
  mailFrom: string | null;
  dkim: { domain: string; selector: string } | null;
  telegram: { apiUrl: string };
  discord: { apiUrl: string; siteUrl: string };
  limits: {
    fileBytes: number;
    workspaceBytes: number;
    trashDays: number;
    versionDays: number;
    workspaceCreators: 'admins' | 'everyone';
    chatBurst: number;
    chatPerMinute: number;
  };
  trustedProxies: string[];
  allowPrivateHosts: boolean;
  corsOrigins: string[];
  /** Whether the opening of e-mails sent with TrackOpens is recorded. */
  trackOpens: boolean;
  geoipDatabase: string | null;
  logLevel: LogLevel;
}

/** Holds a sentence for every setting that is wrong. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * Parses and checks the settings, shapes the configuration and separates the secrets.
 * @throws ConfigError with all sentences when a setting is wrong
 */
export function shapeConfig(raw: RawSettings): { config: Config; secrets: Secrets } {
  const problems: string[] = [];
  const values = parseSettings(raw, (sentence) => problems.push(sentence));
  problems.push(...incompleteGroups(raw, values));
  if (problems.length > 0) throw new ConfigError(problems);
  return { config: configOf(values), secrets: shapeSecrets(values) };
}

/** Settings that must be set together. */
const GROUPS: readonly (readonly [purpose: string, names: readonly SettingName[]])[] = [
  [
    'an external OpenID provider',
    ['POSTHOUSE_OIDC_ISSUER', 'POSTHOUSE_OIDC_CLIENT_ID', 'POSTHOUSE_OIDC_CLIENT_SECRET'],
  ],
  ['DKIM signing', ['POSTHOUSE_DKIM_DOMAIN', 'POSTHOUSE_DKIM_SELECTOR', 'POSTHOUSE_DKIM_KEY']],
];

/** @param raw shows which settings are set, since one that is not valid has its default among the values */
function incompleteGroups(raw: RawSettings, values: SettingValues): string[] {
  const has = (name: SettingName) => raw[name] !== undefined;
  const sentences = GROUPS.filter(([, names]) => names.some(has)).map(([purpose, names]) =>
    incomplete(purpose, names, has),
  );
  // The keys alone are valid: other programs use them too.
  if (has('POSTHOUSE_S3_URL'))
    sentences.push(incomplete('S3', ['POSTHOUSE_S3_URL', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'], has));
  if (values.POSTHOUSE_S3_REDIRECT && !has('POSTHOUSE_S3_URL'))
    sentences.push(
      'POSTHOUSE_S3_REDIRECT is set without POSTHOUSE_S3_URL: only downloads from S3 can be redirected.',
    );
  if (has('POSTHOUSE_DATABASE_LISTEN_URL') && !has('POSTHOUSE_DATABASE_URL'))
    sentences.push(
      'POSTHOUSE_DATABASE_LISTEN_URL is set without POSTHOUSE_DATABASE_URL: only PostgreSQL has signals ' +
        'between nodes.',
    );
  if (has('POSTHOUSE_SMTP_URL') && !has('POSTHOUSE_MAIL_FROM'))
    sentences.push('POSTHOUSE_SMTP_URL is set without POSTHOUSE_MAIL_FROM: e-mails need a sender.');
  return sentences.filter((sentence) => sentence !== null);
}

function incomplete(
  purpose: string,
  names: readonly SettingName[],
  has: (name: SettingName) => boolean,
): string | null {
  const missing = names.filter((name) => !has(name));
  if (missing.length === 0) return null;
  return `${names.filter(has).join(', ')} is set without ${missing.join(', ')}: ${purpose} needs all of them.`;
}

function configOf(values: SettingValues): Config {
  const dataDir = values.POSTHOUSE_DATA_DIR;
  return {
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.POSTHOUSE_PUBLIC_URL?.[0] ?? null,
    otherUrls: values.POSTHOUSE_PUBLIC_URL?.slice(1) ?? [],
    services: values.POSTHOUSE_SERVICES,
    processes: values.POSTHOUSE_PROCESSES,
    dataDir,
    database: values.POSTHOUSE_DATABASE_URL
      ? {
          kind: 'postgres',
          host: values.POSTHOUSE_DATABASE_URL.host,
          connections: connectionsOfEach(values),
        }
      : { kind: 'sqlite', file: join(dataDir, 'posthouse.sqlite') },
    blobs: values.POSTHOUSE_S3_URL
      ? { kind: 's3', ...values.POSTHOUSE_S3_URL, redirect: values.POSTHOUSE_S3_REDIRECT }
      : { kind: 'local', directory: join(dataDir, 'blobs') },
    externalIssuer: externalIssuer(values),
    accountsAllowed: (values.POSTHOUSE_OIDC_ALLOW ?? []).map((entry) => entry.toLowerCase()),
    adminEmail: values.POSTHOUSE_ADMIN_EMAIL,
    smtp: smtpServer(values),
    smtpName: values.POSTHOUSE_SMTP_NAME,
    mailFrom: values.POSTHOUSE_MAIL_FROM,
    dkim: dkim(values),
    telegram: { apiUrl: values.POSTHOUSE_TELEGRAM_API_URL },
    discord: {
      apiUrl: values.POSTHOUSE_DISCORD_API_URL,
      siteUrl: values.POSTHOUSE_DISCORD_SITE_URL ?? new URL(values.POSTHOUSE_DISCORD_API_URL).origin,
    },
    limits: {
      fileBytes: values.POSTHOUSE_MAX_FILE_BYTES,
      workspaceBytes: values.POSTHOUSE_WORKSPACE_BYTES,
      trashDays: values.POSTHOUSE_TRASH_DAYS,
      versionDays: values.POSTHOUSE_VERSION_DAYS,
      workspaceCreators: values.POSTHOUSE_WORKSPACE_CREATORS,
      chatBurst: values.POSTHOUSE_CHAT_BURST,
      chatPerMinute: values.POSTHOUSE_CHAT_PER_MINUTE,
    },
    trustedProxies: values.POSTHOUSE_TRUSTED_PROXIES ?? [],
    allowPrivateHosts: values.POSTHOUSE_ALLOW_PRIVATE_HOSTS,
    corsOrigins: values.POSTHOUSE_CORS_ORIGINS ?? [],
    trackOpens: values.POSTHOUSE_TRACK_OPENS,
    geoipDatabase: values.POSTHOUSE_GEOIP_DB,
    logLevel: values.POSTHOUSE_LOG_LEVEL,
  };
}

/** Returns the maximum number of connections of each process, 2 or more. */
function connectionsOfEach(values: SettingValues): number {
  return Math.max(2, Math.floor(values.POSTHOUSE_DATABASE_CONNECTIONS / values.POSTHOUSE_PROCESSES));
}

function smtpServer(values: SettingValues): Config['smtp'] {
  if (!values.POSTHOUSE_SMTP_URL) return null;
  const { host, port, security } = values.POSTHOUSE_SMTP_URL;
  return { host, port, security, verifyTls: values.POSTHOUSE_SMTP_TLS_VERIFY };
}

function externalIssuer(values: SettingValues): Config['externalIssuer'] {
  const { POSTHOUSE_OIDC_ISSUER: url, POSTHOUSE_OIDC_CLIENT_ID: clientId } = values;
  return url && clientId ? { url, clientId, scope: values.POSTHOUSE_OIDC_SCOPES } : null;
}

function dkim(values: SettingValues): Config['dkim'] {
  const { POSTHOUSE_DKIM_DOMAIN: domain, POSTHOUSE_DKIM_SELECTOR: selector } = values;
  return domain && selector ? { domain, selector } : null;
}
