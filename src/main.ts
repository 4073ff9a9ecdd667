import { Command } from '@commander-js/extra-typings';
import { chatChannelCommand } from './commands/chat-channel.ts';
import { chatClientCommand } from './commands/chat-client.ts';
import { chatGuildCommand } from './commands/chat-guild.ts';
import { CommandError } from './commands/command.ts';
import { mailClientCommand } from './commands/mail-client.ts';
import { serveCommand } from './commands/serve.ts';
import { tokenCommand } from './commands/token.ts';
import { userCommand } from './commands/user.ts';
import { ConfigError } from './config/config.ts';
import { describeError } from './kernel/log.ts';
import { VERSION } from './version.ts';

const program = new Command('posthouse')
  .description('Files, chat relay and mail for a team’s applications: one self-hosted server')
  .version(VERSION)
  .showHelpAfterError('(posthouse --help tells more)')
  .addCommand(serveCommand(), { isDefault: true })
  .addCommand(userCommand())
  .addCommand(tokenCommand())
  .addCommand(mailClientCommand())
  .addCommand(chatClientCommand())
  .addCommand(chatGuildCommand())
  .addCommand(chatChannelCommand());

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof ConfigError)
    process.stderr.write(`The settings are not right:\n${error.problems.map((problem) => `  - ${problem}\n`).join('')}`);
  else if (error instanceof CommandError) process.stderr.write(`${error.message}\n`);
  else {
    const { message, cause } = describeError(error);
    process.stderr.write(`posthouse: ${message}${cause ? ` (${cause.message})` : ''}\n`);
  }
  process.exit(1);
}
