/** Every setting of the server: its name in the environment, its flag, its default and what it means. */
export interface Setting {
  name: string;
  flag: string;
  /** Shown in help; null = none. */
  default: string | null;
  about: string;
  /** Its value must never be shown. */
  secret?: true;
}

const settings = [
  { name: 'PORT', flag: 'port', default: '4000', about: 'port to listen on (0 = any free one)' },
  { name: 'HOST', flag: 'host', default: '127.0.0.1', about: 'address to listen on' },
  {
    name: 'POSTHOUSE_PUBLIC_URL',
    flag: 'public-url',
    default: 'http://localhost:$PORT',
    about: 'where people reach this server; links are built from it',
  },
  { name: 'POSTHOUSE_SERVICES', flag: 'services', default: 'identity,storage,chat,mail', about: 'which services this node offers' },
  { name: 'POSTHOUSE_DATA_DIR', flag: 'data-dir', default: './data', about: 'SQLite database, files and the secret key' },
  {
    name: 'POSTHOUSE_DATABASE_URL',
    flag: 'database-url',
    default: null,
    about: 'postgres://… (none = SQLite in the data directory)',
    secret: true,
  },
  {
    name: 'POSTHOUSE_S3_URL',
    flag: 's3-url',
    default: null,
    about: 's3://bucket?endpoint=…&region=… (none = files in the data directory)',
  },
  { name: 'AWS_ACCESS_KEY_ID', flag: 'aws-access-key-id', default: null, about: 'access key for S3', secret: true },
  { name: 'AWS_SECRET_ACCESS_KEY', flag: 'aws-secret-access-key', default: null, about: 'secret key for S3', secret: true },
  {
    name: 'POSTHOUSE_SECRET',
    flag: 'secret',
    default: null,
    about: 'server key of 32 characters or more (none = a key file in the data directory); required when nodes share a database',
    secret: true,
  },
  {
    name: 'POSTHOUSE_OIDC_ISSUER',
    flag: 'oidc-issuer',
    default: null,
    about: 'OpenID provider to sign in with (none = accounts kept here)',
  },
  { name: 'POSTHOUSE_OIDC_CLIENT_ID', flag: 'oidc-client-id', default: null, about: 'client id at that provider' },
  {
    name: 'POSTHOUSE_OIDC_CLIENT_SECRET',
    flag: 'oidc-client-secret',
    default: null,
    about: 'client secret at that provider',
    secret: true,
  },
  {
    name: 'POSTHOUSE_OIDC_ALLOW',
    flag: 'oidc-allow',
    default: null,
    about: 'addresses or @domains that may have an account at first login, comma separated',
  },
  {
    name: 'POSTHOUSE_ADMIN_EMAIL',
    flag: 'admin-email',
    default: null,
    about: 'address that becomes administrator once the issuer has verified it',
  },
  {
    name: 'POSTHOUSE_SMTP_URL',
    flag: 'smtp-url',
    default: null,
    about: 'smtp[s]://user:pass@host:port, ?tls=required or none (none = sandbox)',
    secret: true,
  },
  { name: 'POSTHOUSE_MAIL_FROM', flag: 'mail-from', default: null, about: 'sender of mails, required with an SMTP server' },
  { name: 'POSTHOUSE_DKIM_DOMAIN', flag: 'dkim-domain', default: null, about: 'domain that DKIM signatures speak for' },
  { name: 'POSTHOUSE_DKIM_SELECTOR', flag: 'dkim-selector', default: null, about: 'DKIM selector' },
  { name: 'POSTHOUSE_DKIM_KEY', flag: 'dkim-key', default: null, about: 'DKIM private key, PEM or the path of a PEM file', secret: true },
  { name: 'POSTHOUSE_TELEGRAM_TOKEN', flag: 'telegram-token', default: null, about: 'bot token (none = sandbox)', secret: true },
  { name: 'POSTHOUSE_TELEGRAM_API_URL', flag: 'telegram-api-url', default: 'https://api.telegram.org', about: 'Bot API server' },
  {
    name: 'POSTHOUSE_DISCORD_API_URL',
    flag: 'discord-api-url',
    default: 'https://discord.com/api',
    about: 'Discord or a compatible server',
  },
  { name: 'POSTHOUSE_MAX_FILE_BYTES', flag: 'max-file-bytes', default: '209715200', about: 'largest file' },
  { name: 'POSTHOUSE_WORKSPACE_BYTES', flag: 'workspace-bytes', default: '2147483648', about: 'quota of a workspace' },
  { name: 'POSTHOUSE_TRASH_DAYS', flag: 'trash-days', default: '7', about: 'how long a deleted file can be restored' },
  {
    name: 'POSTHOUSE_TRUSTED_PROXIES',
    flag: 'trusted-proxies',
    default: null,
    about: 'addresses or CIDR ranges whose X-Forwarded-* headers are believed',
  },
  {
    name: 'POSTHOUSE_ALLOW_PRIVATE_HOSTS',
    flag: 'allow-private-hosts',
    default: 'false',
    about: "let callers' own SMTP servers be on private addresses and any port",
  },
  { name: 'POSTHOUSE_CORS_ORIGINS', flag: 'cors-origins', default: null, about: 'origins whose pages may send chat messages and mail' },
  { name: 'POSTHOUSE_METRICS_TOKEN', flag: 'metrics-token', default: null, about: 'bearer token for /metrics', secret: true },
  { name: 'POSTHOUSE_GEOIP_DB', flag: 'geoip-db', default: null, about: 'MaxMind database with cities (none = countries only)' },
  { name: 'POSTHOUSE_CHAT_BURST', flag: 'chat-burst', default: '60', about: 'messages that a chat channel takes at once' },
  {
    name: 'POSTHOUSE_CHAT_PER_MINUTE',
    flag: 'chat-per-minute',
    default: '60',
    about: 'messages that a chat channel takes a minute after that',
  },
  { name: 'POSTHOUSE_LOG_LEVEL', flag: 'log-level', default: 'info', about: 'trace, debug, info, warn, error or silent' },
] as const satisfies readonly Setting[];

export type SettingName = (typeof settings)[number]['name'];
export const SETTINGS: readonly (Setting & { name: SettingName })[] = settings;
