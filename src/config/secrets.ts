import type { SettingValues } from './settings.ts';

/** Values that must never be printed: separate from `Config`, and hidden from loggers, inspectors and spreads. */
export interface Secrets {
  /** Text of the server keys; null = the key file in the data directory. */
  serverSecret: string | null;
  databaseUrl: string | null;
  /** URL of PostgreSQL without a pooler; null = SQLite. */
  listenUrl: string | null;
  s3: { accessKeyId: string; secretAccessKey: string } | null;
  oidcClientSecret: string | null;
  smtp: { user: string; password: string } | null;
  dkimKey: string | null;
  telegramToken: string | null;
  metricsToken: string | null;
}

export function shapeSecrets(values: SettingValues): Secrets {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = values;
  const hasS3 = values.POSTHOUSE_S3_URL && accessKeyId && secretAccessKey;
  const credentials = values.POSTHOUSE_SMTP_URL?.credentials;
  return hidden({
    serverSecret: values.POSTHOUSE_SECRET,
    databaseUrl: values.POSTHOUSE_DATABASE_URL?.url ?? null,
    listenUrl: values.POSTHOUSE_DATABASE_LISTEN_URL?.url ?? values.POSTHOUSE_DATABASE_URL?.url ?? null,
    s3: hasS3 ? hidden({ accessKeyId, secretAccessKey }) : null,
    oidcClientSecret: values.POSTHOUSE_OIDC_CLIENT_SECRET,
    smtp: credentials ? hidden(credentials) : null,
    dkimKey: values.POSTHOUSE_DKIM_KEY,
    telegramToken: values.POSTHOUSE_TELEGRAM_TOKEN,
    metricsToken: values.POSTHOUSE_METRICS_TOKEN,
  });
}

/** Returns an object whose fields can be read by name only. Enumeration (JSON, a logger, a spread) finds none. */
function hidden<Kept extends object>(kept: Kept): Kept {
  const fields = Object.entries(kept).map(([name, value]) => [name, { value, enumerable: false }] as const);
  return Object.defineProperties({} as Kept, {
    ...Object.fromEntries(fields),
    toJSON: { value: () => '[secrets]', enumerable: false },
    [Symbol.for('nodejs.util.inspect.custom')]: { value: () => '[secrets]', enumerable: false },
  });
}
