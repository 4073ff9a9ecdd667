import pino, { type Logger } from 'pino';
import type { LogLevel } from '../config/config.ts';

export type Log = Logger;

const HIDDEN = '[hidden]';
/** Fields with such names are hidden wherever they stand, whatever their case. */
const SECRET_NAME =
  /pass(?:word|phrase|wd)|secret|token|authorization|cookie|credential|signature|(?:access|api|relay|private|server)[-_]?key|^key$/i;
const DEEPEST = 8;

/** Structured logs, a JSON line each, on standard error, so that standard output stays a command's own. */
export function createLog(level: LogLevel, destination: { write(line: string): void } = process.stderr): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: (entry) => clean(entry) as Record<string, unknown> },
      hooks: {
        logMethod(words, method) {
          method.apply(this, words.map((word) => (typeof word === 'string' ? withoutSecrets(word) : word)) as typeof words);
        },
      },
    },
    { write: (line) => void destination.write(line) },
  );
}

/** A copy of `value` without secrets, for the log. */
function clean(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return withoutSecrets(value);
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Error) return describeError(value);
  if (value instanceof Uint8Array) return `[${value.length} bytes]`;
  if (depth === DEEPEST) return '[…]';
  if ('toJSON' in value && typeof value.toJSON === 'function') return clean(value.toJSON(), depth + 1);
  if (Array.isArray(value)) return value.map((inner) => clean(inner, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, SECRET_NAME.test(name) && inner != null ? HIDDEN : clean(inner, depth + 1)]),
  );
}

interface ErrorFacts {
  name: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: ErrorFacts;
}

const CAUSES_TOLD = 5;

/** An error as facts for the log, without what libraries hang on it (requests, configurations), and with secrets struck out. */
export function describeError(error: unknown, causes = CAUSES_TOLD): ErrorFacts {
  if (!(error instanceof Error)) return { name: 'unknown', message: withoutSecrets(String(error)) };
  const code = (error as { code?: unknown }).code;
  return {
    name: error.name,
    message: withoutSecrets(error.message),
    code: typeof code === 'string' ? code : undefined,
    stack: error.stack && withoutSecrets(error.stack),
    cause: error.cause === undefined || causes === 0 ? undefined : describeError(error.cause, causes - 1),
  };
}

const PATTERNS: readonly [RegExp, string][] = [
  // Telegram's bot token stands in the path of every call (https://core.telegram.org/bots/api#making-requests).
  [/\bbot\d+:[\w-]+/g, `bot${HIDDEN}`],
  [/\b\d{6,}:[\w-]{30,}/g, HIDDEN],
  // Userinfo of a URL; up to the last @, since people forget to encode those in passwords.
  [/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#]+@/gi, `$1${HIDDEN}@`],
  [/\b(Bearer|Bot|Basic)\s+[\w.~+/=-]+/g, `$1 ${HIDDEN}`],
  [/\b(authorization|(?:set-)?cookie)(\\?["']?\s*[:=]\s*)[^\r\n"']+/gi, `$1$2${HIDDEN}`],
  [/\b((?:__Host-)?posthouse=)[^\s;"']+/g, `$1${HIDDEN}`],
  [/([?&][\w-]{0,40}(?:key|token|password|secret|signature|code|state)[\w-]{0,40}=)[^&\s"']+/gi, `$1${HIDDEN}`],
  [/((?:password|secret|token|access_?key|api_?key)=)[^&\s"',;]+/gi, `$1${HIDDEN}`],
  [/((?:password|secret|token|access_?key|api_?key|auth)\\?["']\s*:\s*\\?["'])(?:[^"'\\]|\\[^"'])+/gi, `$1${HIDDEN}`],
  [/(\/public\/(?:file|media)\/)[\w-]+/g, `$1${HIDDEN}`],
];

/** `text` with everything struck out that looks like a credential. Errors of peers and libraries pass through this before they are kept. */
export function withoutSecrets(text: string): string {
  // U+0000, which a peer may send and PostgreSQL cannot keep, becomes the replacement character.
  return PATTERNS.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text.replaceAll('\0', '\ufffd'));
}
