import { Command } from '@commander-js/extra-typings';
import { backupCommand } from './commands/backup.ts';
import { chatChannelCommand } from './commands/chat-channel.ts';
import { chatClientCommand } from './commands/chat-client.ts';
import { chatGuildCommand } from './commands/chat-guild.ts';
import { checkCommand } from './commands/check.ts';
import { CommandError } from './commands/command.ts';
import { doctorCommand } from './commands/doctor.ts';
import { mailClientCommand } from './commands/mail-client.ts';
import { restoreCommand } from './commands/restore.ts';
import { serveCommand } from './commands/serve.ts';
import { tokenCommand } from './commands/token.ts';
import { userCommand } from './commands/user.ts';
import { ConfigError } from './config/config.ts';
import { Problem } from './kernel/http/problem.ts';
import { describeError } from './kernel/log.ts';
import { VERSION } from './version.ts';

// Whatever this program writes (database, files, key, backup) is nobody else's on the machine.
process.umask(0o077);

const program = new Command('posthouse')
  .description('Files, chat relay and mail for a team’s applications: one self-hosted server')
  .version(VERSION)
  .showHelpAfterError('(posthouse --help tells more)')
  .addHelpText('after', '\nposthouse serve --help lists every setting; posthouse COMMAND --help what else a command takes.')
  .addCommand(serveCommand(), { isDefault: true })
  .addCommand(userCommand())
  .addCommand(tokenCommand())
  .addCommand(mailClientCommand())
  .addCommand(chatClientCommand())
  .addCommand(chatGuildCommand())
  .addCommand(chatChannelCommand())
  .addCommand(checkCommand())
  .addCommand(backupCommand())
  .addCommand(restoreCommand())
  .addCommand(doctorCommand());

try {
  const [word = '-'] = process.argv.slice(2);
  // A word that is no command would go to `serve`, as an argument that is one too many.
  if (!word.startsWith('-') && word !== 'help' && program.commands.every((command) => command.name() !== word))
    throw new CommandError(`There is no command “${word}”; posthouse --help lists those there are.`);
  await program.parseAsync();
} catch (error) {
  if (error instanceof ConfigError)
    process.stderr.write(`The settings are not right:\n${error.problems.map((problem) => `  - ${problem}\n`).join('')}`);
  else if (error instanceof CommandError) process.stderr.write(`${error.message}\n`);
  else if (error instanceof Problem) process.stderr.write(`${aboutFlags(error)}\n`);
  else {
    const { message, cause } = describeError(error);
    process.stderr.write(`posthouse: ${message}${cause ? ` (${cause.message})` : ''}\n`);
  }
  process.exit(1);
}

/** What is wrong, a line for each flag: the field `platformId` came from `--platform-id`. */
function aboutFlags({ detail, errors }: Problem): string {
  const flag = (field: string) => `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return errors?.map(({ path, message }) => `${flag(path)} ${message}.`).join('\n') ?? detail;
}
