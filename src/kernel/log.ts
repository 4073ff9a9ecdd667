import pino, { type Logger } from 'pino';
import type { LogLevel } from '../config/formats.ts';
import { codeOf } from './errors/code-of.ts';
import { HIDDEN, withoutSecrets } from './without-secrets.ts';

export type Log = Logger;

export interface LogOutput {
  /** @param line ends with a line feed */
  write(line: string): void;
}

/** Fields with these names are hidden at any depth, in any letter case. */
const SECRET_NAME = new RegExp(
  [
    'pass(?:word|phrase|wd)|secret|token|authorization|cookie|credential|signature',
    '(?:access|api|relay|private|server)[-_]?key|^key$',
  ].join('|'),
  'i',
);
const MAX_DEPTH = 8;
/** Maximum length of a text: errors of libraries can contain whole responses. */
const MAX_TEXT = 4_096;
/** Characters of a text that are searched for secrets, so that few secrets are cut before they are hidden. */
const MAX_SEARCHED = 16 * MAX_TEXT;

/** Creates a log of JSON lines on standard error; standard output is for the results of commands. */
export function createLog(level: LogLevel, output: LogOutput = process.stderr): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (entry) => clean(entry) as Record<string, unknown>,
      },
      hooks: {
        logMethod(args, method) {
          method.apply(
            this,
            args.map((arg) => (typeof arg === 'string' ? withoutSecrets(arg) : arg)) as typeof args,
          );
        },
      },
    },
    { write: (line) => void output.write(line) },
  );
}

/** Returns a copy of `value` without secrets. */
function clean(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return shortText(value);
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Error) return describeError(value);
  if (value instanceof Uint8Array) return `[${value.length} bytes]`;
  if (depth === MAX_DEPTH) return '[…]';
  if ('toJSON' in value && typeof value.toJSON === 'function') return clean(value.toJSON(), depth + 1);
  if (Array.isArray(value)) return value.map((inner) => clean(inner, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET_NAME.test(name) && inner != null ? HIDDEN : clean(inner, depth + 1),
    ]),
  );
}

/** Returns the beginning of a text without secrets. */
function shortText(text: string): string {
  return withoutSecrets(text.slice(0, MAX_SEARCHED)).slice(0, MAX_TEXT).toWellFormed();
}

interface ErrorFacts {
  name: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: ErrorFacts;
}

const MAX_CAUSES = 5;

/**
 * Returns the fields of an error for the log, with secrets hidden. Leaves out properties that libraries attach
 * (requests, configurations).
 */
export function describeError(error: unknown, causes = MAX_CAUSES): ErrorFacts {
  if (!(error instanceof Error)) return { name: 'unknown', message: shortText(String(error)) };
  const code = codeOf(error);
  return {
    name: error.name,
    message: shortText(error.message),
    code: typeof code === 'string' ? code : undefined,
    stack: error.stack && shortText(error.stack),
    cause: error.cause === undefined || causes === 0 ? undefined : describeError(error.cause, causes - 1),
  };
}
