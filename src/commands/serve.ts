import { misspeltSettings } from '../config/env.ts';
import { startServer } from '../server.ts';
import { configOf, createCommand } from './command.ts';
import { settingsHelp } from './settings-help.ts';

/** `posthouse serve`: runs until SIGTERM or SIGINT. */
export function serveCommand() {
  const command = createCommand('serve', 'run the server', settingsHelp(process.stdout.columns ?? 100)).action(async () => {
    const { config, secrets } = configOf(command);
    // A warning, not an error: the variable may be another program's.
    for (const sentence of misspeltSettings()) process.stderr.write(`Warning: ${sentence}\n`);
    // From now on, so that a signal during the start stops what has started in good order.
    const signalled = untilSignalled();
    const server = await startServer(config, secrets);
    if (server.setupLink) process.stdout.write(`Make the administrator account: ${server.setupLink}\n`);
    process.stdout.write(`Posthouse is ready at ${server.url}\n`);
    await signalled;
    await server.stop();
    process.exit(0);
  });
  return command;
}

function untilSignalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      // A second signal while stopping ends the process at once.
      process.once(signal, () => {
        process.once(signal, () => process.exit(1));
        resolve();
      });
    }
  });
}
