import { CommanderError } from '@commander-js/extra-typings';
import { ConfigError } from '../../config/config.ts';
import { isStorageFull } from '../../kernel/errors/storage-full.ts';
import { type Engine, Unavailable } from '../../kernel/errors/unavailable.ts';
import { describeError } from '../../kernel/log.ts';
import { Problem } from '../../kernel/problem.ts';
import { BadResult, CommandError } from './cli.ts';

export interface Output {
  /** Standard output: results. */
  writeOut(text: string): void;
  /** Standard error: errors and warnings. */
  writeErr(text: string): void;
}

const ENGINES: Record<Engine, { fault: string; settings: string }> = {
  database: {
    fault: 'The database cannot be used',
    settings: 'POSTHOUSE_DATABASE_URL or POSTHOUSE_DATA_DIR',
  },
  blobs: { fault: 'The file store cannot be used', settings: 'POSTHOUSE_S3_URL or POSTHOUSE_DATA_DIR' },
  system: {
    fault: 'The operating system could not open a file or start a process',
    settings: 'the limits of open files, processes and memory',
  },
};

interface Failure {
  code: string;
  /** One sentence or more. */
  detail: string;
  /** Text for standard error without `--json`; null = already printed. */
  text: string | null;
}

/** Prints an error: with `json` as `{error: {code, detail}}` on standard output, else on standard error. */
export function reportFailure(error: unknown, json: boolean, output: Output): void {
  if (error instanceof BadResult) return;
  const { code, detail, text } = failureOf(error);
  if (json) output.writeOut(`${JSON.stringify({ error: { code, detail } })}\n`);
  else if (text !== null) output.writeErr(`${text}\n`);
}

function failureOf(error: unknown): Failure {
  if (error instanceof CommanderError) return usageError(error);
  if (error instanceof ConfigError) {
    const lines = ['Invalid settings:', ...error.problems.map((problem) => `  - ${problem}`)];
    return { code: 'settings_error', detail: error.problems.join(' '), text: lines.join('\n') };
  }
  if (error instanceof CommandError) return { code: error.code, detail: error.message, text: error.message };
  if (error instanceof Problem) {
    const lines = flagErrors(error);
    return { code: error.code, detail: lines.join(' '), text: lines.join('\n') };
  }
  const { message, cause } = describeError(error);
  if (isStorageFull(error)) {
    // SQLite reports a full disk as “disk I/O error”, too.
    const detail = `The disk is full (${message}): make room for the data of Posthouse, and try again.`;
    return { code: 'storage_full', detail, text: `posthouse: ${detail}` };
  }
  if (error instanceof Unavailable) {
    const { fault, settings } = ENGINES[error.engine];
    const end = /[.?!]$/.test(message) ? '' : '.';
    const detail = `${fault}: ${message}${end} Check ${error.setting ?? settings}, or run posthouse doctor.`;
    return { code: 'unavailable', detail, text: `posthouse: ${detail}` };
  }
  const detail = `${message}${cause ? ` (${cause.message})` : ''}`;
  return { code: 'command_failed', detail, text: `posthouse: ${detail}` };
}

/** Commander has printed its message, unless `--json` suppressed it. */
function usageError({ code, message }: CommanderError): Failure {
  if (code === 'commander.help')
    return { code: 'usage_error', detail: 'A subcommand is missing.', text: null };
  const sentence = message
    .replace(/^error: /, '')
    .replace(/\s+/g, ' ')
    .replace(/\.$/, '');
  const detail = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
  return { code: 'usage_error', detail, text: null };
}

/** One sentence for each wrong flag: the field `platformId` is set by `--platform-id`. */
function flagErrors({ detail, fields }: Problem): string[] {
  const flag = (field: string) => `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return fields?.map(({ path, message }) => `${flag(path)} ${message}.`) ?? [detail];
}
