import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { z } from 'zod';
import { type Config, shapeConfig } from '../../config/config.ts';
import { type RawSettings, readSettings } from '../../config/env.ts';
import type { Secrets } from '../../config/secrets.ts';
import { SETTINGS } from '../../config/settings.ts';
import { type Foundation, openFoundation } from '../../foundation/foundation.ts';

type CommandErrorCode = 'usage_error' | 'not_found' | 'name_taken' | 'conflict';

/** The reason why a command failed, in one sentence. Printed without a stack; exit status 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: CommandErrorCode;
  constructor(sentence: string, code: CommandErrorCode = 'usage_error') {
    super(sentence);
    this.code = code;
  }
}

/** Ends a command with exit status 1 after it has printed its result. */
export class BadResult extends Error {
  override readonly name = 'BadResult';
}

/** End of the help of commands that use the settings of the server. */
export const SETTINGS_HELP =
  '\nEvery setting of the server is an option of this command or an environment variable: see posthouse serve --help.';

/**
 * Returns a command with `--json` and an option for every setting of the server.
 * @param help text printed after the options
 * @param ownFlags flags of this command that hide the settings of the same name
 */
export function createCommand(name: string, about: string, help = SETTINGS_HELP, ownFlags: string[] = []) {
  const command = new Command(name)
    .description(about)
    .option('--json', 'print one line of JSON and nothing else')
    .addHelpText('after', help)
    .showHelpAfterError(`(See posthouse ${name} --help)`);
  for (const { flag, about } of SETTINGS) {
    if (!ownFlags.includes(flag)) command.addOption(new Option(`--${flag} <value>`, about).hideHelp());
  }
  return command;
}

/** Returns a command with subcommands, each created by `createCommand`. */
export function createGroup(name: string, about: string, commands: readonly CommandUnknownOpts[]) {
  const group = new Command(name)
    .description(about)
    // Without a subcommand, the help is printed for any options.
    .allowUnknownOption()
    .showHelpAfterError(`(See posthouse ${name} --help)`);
  for (const command of commands) {
    group.addCommand(command.showHelpAfterError(`(See posthouse ${name} ${command.name()} --help)`));
  }
  return group;
}

export interface ParsedCommand {
  readonly options: readonly { long?: string; hidden: boolean }[];
  getOptionValue(name: string): unknown;
}

/** Returns the configuration from the environment and the options of a command. @throws ConfigError */
export function configOf(command: ParsedCommand): { config: Config; secrets: Secrets } {
  return shapeConfig(settingsOf(command));
}

/**
 * Returns the settings of the environment and the options of a command.
 * @throws CommandError when an option is empty
 */
export function settingsOf(command: ParsedCommand): RawSettings {
  const flags: Record<string, string> = {};
  for (const { flag, name } of SETTINGS) {
    const isSetting = command.options.some(({ long, hidden }) => hidden && long === `--${flag}`);
    const value = command.getOptionValue(flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()));
    if (!isSetting || typeof value !== 'string') continue;
    // With `--data-dir "$UNSET"`, the default would be another database.
    if (value.trim() === '')
      throw new CommandError(`--${flag} is empty. Omit it to use ${name} or the default.`);
    flags[flag] = value;
  }
  return readSettings(flags);
}

/** Opens the database for one command and closes it afterwards; the server may run meanwhile. Logs warnings only. */
export async function withFoundation<Result>(
  command: ParsedCommand,
  work: (foundation: Foundation, config: Config, secrets: Secrets) => Promise<Result>,
): Promise<Result> {
  const { config, secrets } = configOf(command);
  const foundation = await openFoundation({ ...config, logLevel: 'warn' }, secrets);
  try {
    return await work(foundation, config, secrets);
  } finally {
    await foundation.close();
  }
}

/** Returns the value of an option, checked like a field of a request. @throws CommandError with its name */
export function flagValue<Schema extends z.ZodType>(
  flag: string,
  schema: Schema,
  value: unknown,
): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new CommandError(`--${flag} ${result.error.issues[0]?.message ?? 'is not valid'}.`);
}
