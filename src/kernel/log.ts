import pino, { type Logger } from 'pino';
import type { LogLevel } from '../config/config.ts';

export type Log = Logger;

const HIDDEN = '[hidden]';
const SECRET_NAMES = [
  'password',
  'filePassword',
  'file_password',
  'accessKey',
  'access_key',
  'accessKeyPlain',
  'key',
  'token',
  'secret',
  'clientSecret',
  'ClientSecret',
  'authorization',
  'Authorization',
  'cookie',
  'Cookie',
  'botToken',
  'BotToken',
  'Password',
  'directToken',
  'uiToken',
  'code',
  'state',
];

/** Structured logs, a JSON line each, on standard error, so that standard output stays a command's own. */
export function createLog(level: LogLevel, destination: { write(line: string): void } = process.stderr): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_NAMES.flatMap((name) => [`${name}`, `*.${name}`]), censor: HIDDEN },
      serializers: { error: describeError },
    },
    { write: (line) => void destination.write(line) },
  );
}

interface ErrorFacts {
  name: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: ErrorFacts;
}

/** An error as facts for the log, without what libraries hang on it (requests, configurations), and with secrets struck out. */
export function describeError(error: unknown): ErrorFacts {
  if (!(error instanceof Error)) return { name: 'unknown', message: withoutSecrets(String(error)) };
  const code = (error as { code?: unknown }).code;
  return {
    name: error.name,
    message: withoutSecrets(error.message),
    code: typeof code === 'string' ? code : undefined,
    stack: error.stack && withoutSecrets(error.stack),
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  };
}

const PATTERNS: readonly [RegExp, string][] = [
  // Telegram's bot token stands in the path of every call (https://core.telegram.org/bots/api#making-requests).
  [/\bbot\d+:[\w-]+/g, `bot${HIDDEN}`],
  [/\b\d{6,}:[\w-]{30,}\b/g, HIDDEN],
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, `$1${HIDDEN}@`],
  [/\b(Bearer|Bot|Basic)\s+[\w.~+/=-]+/g, `$1 ${HIDDEN}`],
  [/([?&][\w-]*(?:key|token|password|secret|signature|code|state)[\w-]*=)[^&\s"']+/gi, `$1${HIDDEN}`],
  [/(\/public\/(?:file|media)\/)[\w-]+/g, `$1${HIDDEN}`],
];

/** `text` with everything struck out that looks like a credential. Errors of peers and libraries pass through this before they are kept. */
export function withoutSecrets(text: string): string {
  return PATTERNS.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text);
}
