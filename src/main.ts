import { type CommandModule, runCommandLine } from './commands/run.ts';

/** Every command with its description in `posthouse --help`. A command's file is loaded when that command runs. */
export const COMMANDS: Readonly<Record<string, CommandModule>> = {
  serve: { about: 'run the server (also without a command)', load: () => import('./commands/serve.ts') },
  user: { about: 'manage accounts', load: () => import('./commands/user.ts') },
  token: { about: 'manage access tokens', load: () => import('./commands/token.ts') },
  workspace: { about: 'manage shared workspaces', load: () => import('./commands/workspace.ts') },
  link: { about: 'list and revoke links to folders and files', load: () => import('./commands/link.ts') },
  'mail-client': {
    about: 'manage applications that send mail',
    load: () => import('./commands/mail-client.ts'),
  },
  'chat-client': {
    about: 'manage bots that send chat messages',
    load: () => import('./commands/chat-client.ts'),
  },
  'chat-guild': {
    about: 'manage the servers (guilds) of a chat client',
    load: () => import('./commands/chat-guild.ts'),
  },
  'chat-channel': {
    about: 'manage the channels of a server (guild)',
    load: () => import('./commands/chat-channel.ts'),
  },
  key: { about: 'rotate the server key', load: () => import('./commands/key.ts') },
  check: { about: 'compare every stored file with its checksum', load: () => import('./commands/check.ts') },
  backup: { about: 'write all data into a new directory', load: () => import('./commands/backup.ts') },
  restore: { about: 'restore a backup into an empty database', load: () => import('./commands/restore.ts') },
  doctor: {
    about: 'check the configuration and every dependency, and report what to fix',
    load: () => import('./commands/doctor.ts'),
  },
};

/** Runs the command of `words`. */
export async function main(words: readonly string[]): Promise<void> {
  // The database, the files, the key and the backups are readable by their owner only.
  process.umask(0o077);
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreBrokenPipe);
  const output = {
    writeOut: (text: string) => void process.stdout.write(text),
    writeErr: (text: string) => void process.stderr.write(text),
  };
  // Ends handles that a failed command left open.
  if (!(await runCommandLine(COMMANDS, words, output))) process.exit(1);
}

/** A reader of the output, such as `head`, may end before the command. */
function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

if (import.meta.main) void main(process.argv.slice(2));
