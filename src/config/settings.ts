/** Every setting of the server: its name in the environment, its flag, its default and what it means. */
export interface Setting {
  /** The heading under which help and documentation show it. */
  group: SettingGroup;
  name: string;
  flag: string;
  /** Null = none; `unset` says what holds then. */
  default: string | null;
  unset?: string;
  /** What it means, without a full stop. */
  about: string;
  /** Its value must never be shown. */
  secret?: true;
}

export const SETTING_GROUPS = ['Server', 'Data', 'Sign-in', 'Mail', 'Chat and Telegram', 'Limits', 'Network', 'Observation'] as const;
export type SettingGroup = (typeof SETTING_GROUPS)[number];

const settings = [
  { group: 'Server', name: 'PORT', flag: 'port', default: '4000', about: 'port to listen on; 0 takes any free one' },
  {
    group: 'Server',
    name: 'HOST',
    flag: 'host',
    default: '127.0.0.1',
    about: 'address to listen on; 0.0.0.0 is every network of the machine',
  },
  {
    group: 'Server',
    name: 'POSTHOUSE_PUBLIC_URL',
    flag: 'public-url',
    default: 'http://localhost:$PORT',
    about: 'where people reach this server (https://files.example.org); links are built from it, and https makes cookies secure',
  },
  {
    group: 'Server',
    name: 'POSTHOUSE_SERVICES',
    flag: 'services',
    default: 'identity,storage,chat,mail',
    about: 'the services that this node offers, comma separated',
  },
  {
    group: 'Data',
    name: 'POSTHOUSE_DATA_DIR',
    flag: 'data-dir',
    default: './data',
    about: 'directory of the SQLite database, the files and the key file',
  },
  {
    group: 'Data',
    name: 'POSTHOUSE_DATABASE_URL',
    flag: 'database-url',
    default: null,
    unset: 'SQLite in the data directory',
    about: 'postgres://user:password@host:5432/database',
    secret: true,
  },
  {
    group: 'Data',
    name: 'POSTHOUSE_S3_URL',
    flag: 's3-url',
    default: null,
    unset: 'files in the data directory',
    about: 's3://bucket?endpoint=https://…&region=…, with the two keys below',
  },
  { group: 'Data', name: 'AWS_ACCESS_KEY_ID', flag: 'aws-access-key-id', default: null, about: 'access key for S3', secret: true },
  { group: 'Data', name: 'AWS_SECRET_ACCESS_KEY', flag: 'aws-secret-access-key', default: null, about: 'secret key for S3', secret: true },
  {
    group: 'Data',
    name: 'POSTHOUSE_SECRET',
    flag: 'secret',
    default: null,
    unset: 'a key file in the data directory, made on the first start',
    about: 'the server key, 32 characters or more; nodes that share a database need the same one',
    secret: true,
  },
  {
    group: 'Data',
    name: 'POSTHOUSE_TRASH_DAYS',
    flag: 'trash-days',
    default: '7',
    about: 'days for which a deleted file can be restored',
  },
  {
    group: 'Sign-in',
    name: 'POSTHOUSE_OIDC_ISSUER',
    flag: 'oidc-issuer',
    default: null,
    unset: 'accounts with passwords kept here',
    about: 'the OpenID provider with which people sign in, with the two settings below',
  },
  { group: 'Sign-in', name: 'POSTHOUSE_OIDC_CLIENT_ID', flag: 'oidc-client-id', default: null, about: 'client id at that provider' },
  {
    group: 'Sign-in',
    name: 'POSTHOUSE_OIDC_CLIENT_SECRET',
    flag: 'oidc-client-secret',
    default: null,
    about: 'client secret at that provider',
    secret: true,
  },
  {
    group: 'Sign-in',
    name: 'POSTHOUSE_OIDC_ALLOW',
    flag: 'oidc-allow',
    default: null,
    unset: 'only invited people',
    about: 'addresses and @domains that may have an account at their first sign-in over that provider, comma separated',
  },
  {
    group: 'Sign-in',
    name: 'POSTHOUSE_ADMIN_EMAIL',
    flag: 'admin-email',
    default: null,
    about: 'address that becomes administrator once the provider has verified it',
  },
  {
    group: 'Mail',
    name: 'POSTHOUSE_SMTP_URL',
    flag: 'smtp-url',
    default: null,
    unset: 'sandbox: mails are kept and shown, not sent',
    about: 'smtp://user:password@host:587 (STARTTLS when offered; ?tls=required insists, ?tls=none forgoes) or smtps://…:465',
    secret: true,
  },
  {
    group: 'Mail',
    name: 'POSTHOUSE_SMTP_TLS_VERIFY',
    flag: 'smtp-tls-verify',
    default: 'true',
    about: 'false takes any certificate of that server, which may then be anyone’s (for one that signed its own, in a network you trust)',
  },
  {
    group: 'Mail',
    name: 'POSTHOUSE_MAIL_FROM',
    flag: 'mail-from',
    default: null,
    about: 'sender of mails, “Team <team@example.org>”; required with an SMTP server',
  },
  {
    group: 'Mail',
    name: 'POSTHOUSE_DKIM_DOMAIN',
    flag: 'dkim-domain',
    default: null,
    unset: 'mails are not signed here',
    about: 'domain that DKIM signatures speak for',
  },
  { group: 'Mail', name: 'POSTHOUSE_DKIM_SELECTOR', flag: 'dkim-selector', default: null, about: 'DKIM selector' },
  {
    group: 'Mail',
    name: 'POSTHOUSE_DKIM_KEY',
    flag: 'dkim-key',
    default: null,
    about: 'DKIM private key: PEM, or the path of a PEM file',
    secret: true,
  },
  {
    group: 'Mail',
    name: 'POSTHOUSE_ALLOW_PRIVATE_HOSTS',
    flag: 'allow-private-hosts',
    default: 'false',
    about: 'true lets callers’ own SMTP servers be at private addresses and any port',
  },
  {
    group: 'Mail',
    name: 'POSTHOUSE_TRACK_OPENS',
    flag: 'track-opens',
    default: 'true',
    about: 'let mails that ask for it (TrackOpens) tell when they are opened',
  },
  {
    group: 'Mail',
    name: 'POSTHOUSE_GEOIP_DB',
    flag: 'geoip-db',
    default: null,
    unset: 'the country database that comes along',
    about: 'path of a MaxMind database (.mmdb), for the places in contact mails',
  },
  {
    group: 'Chat and Telegram',
    name: 'POSTHOUSE_DISCORD_API_URL',
    flag: 'discord-api-url',
    default: 'https://discord.com/api',
    about: 'Discord or a compatible server',
  },
  {
    group: 'Chat and Telegram',
    name: 'POSTHOUSE_TELEGRAM_TOKEN',
    flag: 'telegram-token',
    default: null,
    unset: 'sandbox for clients without a token of their own',
    about: 'bot token',
    secret: true,
  },
  {
    group: 'Chat and Telegram',
    name: 'POSTHOUSE_TELEGRAM_API_URL',
    flag: 'telegram-api-url',
    default: 'https://api.telegram.org',
    about: 'Telegram or a Bot API server of your own',
  },
  { group: 'Limits', name: 'POSTHOUSE_MAX_FILE_BYTES', flag: 'max-file-bytes', default: '209715200', about: 'bytes of the largest file' },
  {
    group: 'Limits',
    name: 'POSTHOUSE_WORKSPACE_BYTES',
    flag: 'workspace-bytes',
    default: '2147483648',
    about: 'bytes that a workspace may hold',
  },
  { group: 'Limits', name: 'POSTHOUSE_CHAT_BURST', flag: 'chat-burst', default: '60', about: 'messages that a chat channel takes at once' },
  {
    group: 'Limits',
    name: 'POSTHOUSE_CHAT_PER_MINUTE',
    flag: 'chat-per-minute',
    default: '60',
    about: 'messages that a chat channel takes a minute after that',
  },
  {
    group: 'Network',
    name: 'POSTHOUSE_TRUSTED_PROXIES',
    flag: 'trusted-proxies',
    default: null,
    unset: 'X-Forwarded-* is ignored',
    about: 'addresses and CIDR ranges of the proxies whose X-Forwarded-* headers are believed, comma separated',
  },
  {
    group: 'Network',
    name: 'POSTHOUSE_CORS_ORIGINS',
    flag: 'cors-origins',
    default: null,
    about: 'origins (https://www.example.org) whose pages may send chat messages and mail, comma separated',
  },
  {
    group: 'Observation',
    name: 'POSTHOUSE_METRICS_TOKEN',
    flag: 'metrics-token',
    default: null,
    unset: 'loopback and administrators only',
    about: 'bearer token that opens /metrics',
    secret: true,
  },
  {
    group: 'Observation',
    name: 'POSTHOUSE_LOG_LEVEL',
    flag: 'log-level',
    default: 'info',
    about: 'trace, debug (every request), info, warn, error or silent',
  },
] as const satisfies readonly Setting[];

export type SettingName = (typeof settings)[number]['name'];
export const SETTINGS: readonly (Setting & { name: SettingName })[] = settings;
