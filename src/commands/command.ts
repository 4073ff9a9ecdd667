import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { type Config, shapeConfig } from '../config/config.ts';
import { readSettings } from '../config/env.ts';
import type { Secrets } from '../config/secrets.ts';
import { SETTINGS } from '../config/settings.ts';
import { type Foundation, openFoundation } from '../foundation.ts';

/** A mistake of whoever typed the command: told in one sentence, without a stack, exit status 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

const WHERE_SETTINGS_ARE =
  '\nEvery setting of the server is a flag here too, or a variable of the environment: posthouse serve --help lists them.';

/**
 * A command that takes every setting as a flag, `--json`, and nothing else yet. `help` stands below its options.
 * @param ownFlags flags that mean something else to this command than the setting of that name, which then comes from the environment alone
 */
export function createCommand(name: string, about: string, help = WHERE_SETTINGS_ARE, ownFlags: readonly string[] = []) {
  const command = new Command(name)
    .description(about)
    .option('--json', 'print one line of JSON and nothing else')
    .addHelpText('after', help)
    .showHelpAfterError(`(posthouse ${name} --help tells more)`);
  for (const { flag, about } of SETTINGS) {
    if (!ownFlags.includes(flag)) command.addOption(new Option(`--${flag} <value>`, about).hideHelp());
  }
  return command;
}

/** A command that is nothing but the way to `commands`, which are made by `createCommand`. */
export function createGroup(name: string, about: string, commands: readonly CommandUnknownOpts[]) {
  const group = new Command(name)
    .description(`${about}: ${commands.map((command) => command.name()).join(', ')}`)
    .showHelpAfterError(`(posthouse ${name} --help tells more)`);
  for (const command of commands) {
    group.addCommand(command.showHelpAfterError(`(posthouse ${name} ${command.name()} --help tells more)`));
  }
  return group;
}

interface MadeCommand {
  readonly options: readonly { long?: string; hidden: boolean }[];
  getOptionValue(name: string): unknown;
}

/** The configuration from the environment and the flags of a command made by `createCommand`. @throws ConfigError */
export function configOf(command: MadeCommand): { config: Config; secrets: Secrets } {
  const isSetting = (flag: string) => command.options.some(({ long, hidden }) => hidden && long === `--${flag}`);
  const flags = Object.fromEntries(
    SETTINGS.filter(({ flag }) => isSetting(flag)).map(({ flag }) => {
      const value = command.getOptionValue(flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()));
      return [flag, typeof value === 'string' ? value : undefined];
    }),
  );
  return shapeConfig(readSettings(flags));
}

/** Opens the database for one command and closes it afterwards. The server may run meanwhile. Logs only what goes wrong. */
export async function withFoundation<Result>(
  command: MadeCommand,
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

/** Prints a command's answer: with `--json` one object on one line, else the text. */
export function print(command: { getOptionValue(name: string): unknown }, answer: object, text: string): void {
  process.stdout.write(`${command.getOptionValue('json') ? JSON.stringify(answer) : text}\n`);
}
