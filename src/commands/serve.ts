import { misspeltSettings } from '../config/env.ts';
import { startServer } from '../server.ts';
import { configOf, createCommand, print } from './cli.ts';
import { settingsHelp } from './settings-help.ts';

/** `posthouse serve`: runs until SIGTERM or SIGINT. */
export function defineCommand(about: string) {
  const command = createCommand('serve', about, settingsHelp(process.stdout.columns ?? 100)).action(
    async () => {
      const { config, secrets } = configOf(command);
      // A warning, not an error: the variable may belong to another program.
      for (const sentence of misspeltSettings()) process.stderr.write(`Warning: ${sentence}\n`);
      // Before the start, so that a signal during the start ends it in order.
      const signalled = untilSignalled();
      const server = await startServer(config, secrets);
      const { url, setupLink } = server;
      const link = setupLink ? `Create the administrator account: ${setupLink}\n` : '';
      print(command, { url, setupLink }, `${link}Posthouse is ready at ${url}`);
      await signalled;
      await server.stop();
      process.exit(0);
    },
  );
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
