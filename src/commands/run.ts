import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { VERSION } from '../version.ts';
import type { Output } from './shared/failure.ts';

/** One row of the table of commands. */
export interface CommandModule {
  about: string;
  /** Loads the file of the command; `about` is its description in `--help`. */
  load(): Promise<{ defineCommand(about: string): CommandUnknownOpts }>;
}

const DEFAULT_COMMAND = 'serve';
const HELP_FLAGS = ['-h', '--help', '-V', '--version'];

/**
 * Runs the command that `words` name, and loads no other. Returns false after an error or a bad result, which is
 * printed.
 */
export async function runCommandLine(
  commands: Readonly<Record<string, CommandModule>>,
  words: readonly string[],
  output: Output,
): Promise<boolean> {
  const json = words.includes('--json');
  try {
    const program = await createProgram(commands, words, json ? { ...output, writeErr: () => {} } : output);
    await program.parseAsync(checkedWords(program, words), { from: 'user' });
    return true;
  } catch (error) {
    // Help or the version was printed.
    if (error instanceof CommanderError && error.exitCode === 0) return true;
    const { reportFailure } = await import('./shared/failure.ts');
    reportFailure(error, json, output);
    return false;
  }
}

/** Commander throws its errors instead of ending the process. */
function configure(command: CommandUnknownOpts, output: Output): void {
  command.exitOverride().configureOutput(output);
  for (const subcommand of command.commands) configure(subcommand, output);
}

async function createProgram(
  commands: Readonly<Record<string, CommandModule>>,
  words: readonly string[],
  output: Output,
) {
  const program = new Command('posthouse')
    .description('Files, chat relay and mail for a team’s applications: one self-hosted server')
    .version(VERSION)
    .showHelpAfterError('(See posthouse --help)')
    .addHelpText(
      'after',
      '\nposthouse serve --help lists every setting; posthouse COMMAND --help lists the options of a command.',
    );
  const wanted = wantedCommand(words);
  for (const [name, { about, load }] of Object.entries(commands)) {
    const command =
      name === wanted ? (await load()).defineCommand(about) : new Command(name).description(about);
    program.addCommand(command, { isDefault: name === DEFAULT_COMMAND });
  }
  configure(program, output);
  // Commander would pass an unknown word to the default command as an argument.
  if (wanted !== null && wanted !== 'help' && !(wanted in commands))
    program.error(`error: unknown command '${wanted}'`);
  return program;
}

/**
 * Returns `words` in a form that Commander handles correctly. Commander itself passes options before a subcommand to
 * the group, and prints the help of the group for `help` with more than one word, and for an unknown subcommand.
 * @throws CommanderError when options precede a subcommand, or there is no command whose help is requested
 */
function checkedWords(command: CommandUnknownOpts, words: readonly string[]): readonly string[] {
  const [first, ...rest] = words;
  if (first === undefined || command.commands.length === 0) return words;
  if (first === 'help' && rest.length > 0) return checkedWords(command, [...rest, '--help']);
  const subcommand = command.commands.find((each) => each.name() === first);
  if (subcommand) return [first, ...checkedWords(subcommand, rest)];
  if (first.startsWith('-')) {
    const names = command.commands.map((each) => each.name());
    const misplaced = misplacedCommand(names, words);
    if (misplaced !== undefined) command.error(`error: options must follow the command '${misplaced}'`);
  } else if (rest.some((word) => HELP_FLAGS.includes(word)))
    command.error(`error: unknown command '${first}'`);
  return words;
}

/** Returns the first word after options that is one of `names`, and not the value of an option. */
function misplacedCommand(names: readonly string[], words: readonly string[]): string | undefined {
  const isValue = (before = '') => before.startsWith('-') && before !== '--json' && !before.includes('=');
  return words.find((word, index) => names.includes(word) && !isValue(words[index - 1]));
}

/** Returns the command that `words` run, or whose help they print; null for the program's help or version. */
function wantedCommand([first = DEFAULT_COMMAND, second]: readonly string[]): string | null {
  if (HELP_FLAGS.includes(first)) return null;
  if (first.startsWith('-')) return DEFAULT_COMMAND;
  return first === 'help' && second !== undefined ? second : first;
}
