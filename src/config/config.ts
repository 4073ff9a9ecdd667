import { accessSync, constants } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import type { RawSettings } from './env.ts';
import { createSettingsReader, isAddressOrRange, type SettingsReader } from './parse.ts';
import { readSecrets, type Secrets } from './secrets.ts';

const SERVICES = ['identity', 'storage', 'chat', 'mail'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** How the server was asked to run. Null means: that feature is off. Holds no secret, so it may be logged as it is. */
export interface Config {
  host: string;
  port: number;
  /** Without a slash at its end; null = http://localhost and the port that is listened on. */
  publicUrl: string | null;
  services: ReadonlySet<ServiceName>;
  dataDir: string;
  database: { kind: 'sqlite'; file: string } | { kind: 'postgres'; host: string };
  blobs: { kind: 'local'; directory: string } | { kind: 's3'; bucket: string; endpoint: string | null; region: string | null };
  /** Null = the embedded issuer. */
  externalIssuer: { url: string; clientId: string } | null;
  /** E-mail addresses and `@domain`s, lower case. */
  accountsAllowed: string[];
  adminEmail: string | null;
  /**
   * Null = sandbox.
   * @property verifyTls false = any certificate of this server is taken
   */
  smtp: { host: string; port: number; security: SmtpSecurity; verifyTls: boolean; from: string } | null;
  /** Sender of mails over the server's own SMTP server, and of those in the sandbox. */
  mailFrom: string | null;
  dkim: { domain: string; selector: string } | null;
  telegram: { apiUrl: string };
  discord: { apiUrl: string };
  limits: { fileBytes: number; workspaceBytes: number; trashDays: number; chatBurst: number; chatPerMinute: number };
  trustedProxies: string[];
  allowPrivateHosts: boolean;
  corsOrigins: string[];
  /** Mails that ask for it tell when they are opened. */
  trackOpens: boolean;
  geoipDatabase: string | null;
  logLevel: LogLevel;
}

/** `tls`: from the first byte; `starttls`: required after the greeting; `opportunistic`: when offered; `none`: never. */
export type SmtpSecurity = 'tls' | 'starttls' | 'opportunistic' | 'none';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Every sentence at once about what is wrong with the settings. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * Steps two and three: checks the settings, shapes the configuration and keeps the secrets apart.
 * @throws ConfigError with all the sentences, when anything is wrong
 */
export function shapeConfig(raw: RawSettings): { config: Config; secrets: Secrets } {
  const read = createSettingsReader(raw);
  const dataDir = resolve(read.text('POSTHOUSE_DATA_DIR') ?? './data');
  const config: Config = {
    host: host(read),
    port: read.integer('PORT', 4000, { min: 0, max: 65_535 }),
    publicUrl: publicUrl(read),
    services: services(read),
    dataDir,
    database: database(read, dataDir),
    blobs: blobs(read, dataDir),
    externalIssuer: externalIssuer(read),
    accountsAllowed: accountsAllowed(read),
    adminEmail: adminEmail(read),
    smtp: smtp(read),
    mailFrom: read.text('POSTHOUSE_MAIL_FROM'),
    dkim: dkim(read),
    telegram: { apiUrl: apiUrl(read, 'POSTHOUSE_TELEGRAM_API_URL', 'https://api.telegram.org') },
    discord: { apiUrl: apiUrl(read, 'POSTHOUSE_DISCORD_API_URL', 'https://discord.com/api') },
    limits: {
      fileBytes: read.integer('POSTHOUSE_MAX_FILE_BYTES', 209_715_200, { min: 1, max: 2 ** 40 }),
      workspaceBytes: read.integer('POSTHOUSE_WORKSPACE_BYTES', 2_147_483_648, { min: 1, max: 2 ** 50 }),
      trashDays: read.integer('POSTHOUSE_TRASH_DAYS', 7, { min: 0, max: 3650 }),
      chatBurst: read.integer('POSTHOUSE_CHAT_BURST', 60, { min: 1, max: 1_000_000 }),
      chatPerMinute: read.integer('POSTHOUSE_CHAT_PER_MINUTE', 60, { min: 1, max: 1_000_000 }),
    },
    trustedProxies: trustedProxies(read),
    allowPrivateHosts: read.boolean('POSTHOUSE_ALLOW_PRIVATE_HOSTS', false),
    corsOrigins: corsOrigins(read),
    trackOpens: read.boolean('POSTHOUSE_TRACK_OPENS', true),
    geoipDatabase: geoipDatabase(read),
    logLevel: read.oneOf('POSTHOUSE_LOG_LEVEL', LOG_LEVELS, 'info'),
  };
  const secrets = readSecrets(read, config);
  if (read.problems.length > 0) throw new ConfigError(read.problems);
  return { config, secrets };
}

function host(read: SettingsReader): string {
  const value = read.text('HOST') ?? '127.0.0.1';
  if (isIP(value) === 0 && !/^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(value)) {
    read.problem(`HOST must be an IP address or a host name, not “${value}”.`);
  }
  return value;
}

function publicUrl(read: SettingsReader): string | null {
  const url = read.url('POSTHOUSE_PUBLIC_URL', ['http:', 'https:']);
  if (!url) return null;
  if (url.pathname !== '/' || url.search || url.hash || url.username || url.password) {
    read.problem('POSTHOUSE_PUBLIC_URL must be an origin alone (https://files.example.org), without path, query or user.');
  }
  return url.origin;
}

function services(read: SettingsReader): ReadonlySet<ServiceName> {
  const named = read.list('POSTHOUSE_SERVICES');
  if (named.length === 0) return new Set(SERVICES);
  const known = named.filter((name): name is ServiceName => (SERVICES as readonly string[]).includes(name));
  for (const name of named) {
    if (!(SERVICES as readonly string[]).includes(name)) {
      read.problem(`POSTHOUSE_SERVICES names “${name}”, which is none of ${SERVICES.join(', ')}.`);
    }
  }
  return new Set(known);
}

function database(read: SettingsReader, dataDir: string): Config['database'] {
  const url = read.url('POSTHOUSE_DATABASE_URL', ['postgres:', 'postgresql:']);
  if (!url) return { kind: 'sqlite', file: join(dataDir, 'posthouse.sqlite') };
  return { kind: 'postgres', host: url.hostname };
}

function blobs(read: SettingsReader, dataDir: string): Config['blobs'] {
  const url = read.url('POSTHOUSE_S3_URL', ['s3:']);
  if (!url) return { kind: 'local', directory: join(dataDir, 'blobs') };
  read.together(['POSTHOUSE_S3_URL', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'], 'S3');
  for (const name of url.searchParams.keys()) {
    if (name !== 'endpoint' && name !== 'region')
      read.problem(`POSTHOUSE_S3_URL has the unknown parameter “${name}”; it takes endpoint and region.`);
  }
  if (url.pathname !== '' && url.pathname !== '/')
    read.problem('POSTHOUSE_S3_URL must be s3://bucket?endpoint=…&region=…, without a path.');
  const endpoint = url.searchParams.get('endpoint');
  if (endpoint !== null && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    read.problem('The endpoint in POSTHOUSE_S3_URL must begin with http:// or https://.');
  }
  return { kind: 's3', bucket: url.host, endpoint, region: url.searchParams.get('region') };
}

function externalIssuer(read: SettingsReader): Config['externalIssuer'] {
  const url = read.url('POSTHOUSE_OIDC_ISSUER', ['http:', 'https:']);
  read.together(['POSTHOUSE_OIDC_ISSUER', 'POSTHOUSE_OIDC_CLIENT_ID', 'POSTHOUSE_OIDC_CLIENT_SECRET'], 'an external OpenID provider');
  const clientId = read.text('POSTHOUSE_OIDC_CLIENT_ID');
  return url && clientId ? { url: read.text('POSTHOUSE_OIDC_ISSUER') ?? url.href, clientId } : null;
}

function accountsAllowed(read: SettingsReader): string[] {
  const entries = read.list('POSTHOUSE_OIDC_ALLOW').map((entry) => entry.toLowerCase());
  for (const entry of entries) {
    if (!/^[^\s@]*@[^\s@]+$/.test(entry)) read.problem(`POSTHOUSE_OIDC_ALLOW has “${entry}”, which is neither an address nor an @domain.`);
  }
  return entries;
}

function adminEmail(read: SettingsReader): string | null {
  const email = read.text('POSTHOUSE_ADMIN_EMAIL')?.toLowerCase() ?? null;
  if (email !== null && !/^[^\s@]+@[^\s@]+$/.test(email)) read.problem(`POSTHOUSE_ADMIN_EMAIL must be one e-mail address, not “${email}”.`);
  return email;
}

function smtp(read: SettingsReader): Config['smtp'] {
  const verifyTls = read.boolean('POSTHOUSE_SMTP_TLS_VERIFY', true);
  const url = read.url('POSTHOUSE_SMTP_URL', ['smtp:', 'smtps:']);
  const from = read.text('POSTHOUSE_MAIL_FROM');
  if (from !== null && (/[\r\n]/.test(from) || !/^(?:[^<>]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(from))) {
    read.problem('POSTHOUSE_MAIL_FROM must be an address, alone or as “Name <name@example.org>”.');
  }
  if (!url) return null;
  if (from === null) read.problem('POSTHOUSE_SMTP_URL is set without POSTHOUSE_MAIL_FROM: mails need a sender.');
  for (const name of url.searchParams.keys()) {
    if (name !== 'tls') read.problem(`POSTHOUSE_SMTP_URL has the unknown parameter “${name}”; it takes tls.`);
  }
  const implicit = url.protocol === 'smtps:';
  const port = url.port ? Number(url.port) : implicit ? 465 : 587;
  const security = smtpSecurity(read, url, implicit);
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port, security, verifyTls, from: from ?? '' };
}

function smtpSecurity(read: SettingsReader, url: URL, implicit: boolean): SmtpSecurity {
  const asked = url.searchParams.get('tls');
  if (asked !== null && asked !== 'required' && asked !== 'none') read.problem('The tls in POSTHOUSE_SMTP_URL must be required or none.');
  if (implicit) {
    if (asked === 'none') read.problem('POSTHOUSE_SMTP_URL says smtps and tls=none, which contradict each other.');
    return 'tls';
  }
  return asked === 'required' ? 'starttls' : asked === 'none' ? 'none' : 'opportunistic';
}

function dkim(read: SettingsReader): Config['dkim'] {
  read.together(['POSTHOUSE_DKIM_DOMAIN', 'POSTHOUSE_DKIM_SELECTOR', 'POSTHOUSE_DKIM_KEY'], 'DKIM signing');
  const domain = read.text('POSTHOUSE_DKIM_DOMAIN');
  const selector = read.text('POSTHOUSE_DKIM_SELECTOR');
  return domain && selector ? { domain, selector } : null;
}

function apiUrl(read: SettingsReader, name: 'POSTHOUSE_TELEGRAM_API_URL' | 'POSTHOUSE_DISCORD_API_URL', fallback: string): string {
  const url = read.url(name, ['http:', 'https:']);
  return url ? url.href.replace(/\/+$/, '') : fallback;
}

function trustedProxies(read: SettingsReader): string[] {
  const entries = read.list('POSTHOUSE_TRUSTED_PROXIES');
  for (const entry of entries) {
    if (!isAddressOrRange(entry))
      read.problem(`POSTHOUSE_TRUSTED_PROXIES has “${entry}”, which is neither an IP address nor a CIDR range.`);
  }
  return entries;
}

function corsOrigins(read: SettingsReader): string[] {
  const entries = read.list('POSTHOUSE_CORS_ORIGINS');
  for (const entry of entries) {
    if (URL.parse(entry)?.origin !== entry)
      read.problem(`POSTHOUSE_CORS_ORIGINS has “${entry}”, which is not an origin such as https://www.example.org.`);
  }
  return entries;
}

function geoipDatabase(read: SettingsReader): string | null {
  const file = read.text('POSTHOUSE_GEOIP_DB');
  if (file === null) return null;
  try {
    accessSync(file, constants.R_OK);
  } catch {
    read.problem('POSTHOUSE_GEOIP_DB names a file that cannot be read.');
  }
  return resolve(file);
}
