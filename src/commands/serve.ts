import { type Config, shapeConfig } from '../config/config.ts';
import { misspeltSettings, type RawSettings } from '../config/env.ts';
import type { Secrets } from '../config/secrets.ts';
import { SECOND } from '../kernel/clock.ts';
import type { RunningServer } from '../server.ts';
import { createCommand, settingsOf } from './shared/cli.ts';
import { ignoresHangUp } from './shared/hang-up.ts';
import { print } from './shared/output.ts';
import { readyText } from './shared/ready-text.ts';
import { settingsHelp } from './shared/settings-help.ts';

/** Longer than the time that requests and deliveries under way have to end. */
const STOP_LIMIT_MS = 45 * SECOND;

/** `posthouse serve`: runs until SIGTERM, SIGINT or SIGHUP. */
export function defineCommand(about: string) {
  const command = createCommand('serve', about, settingsHelp(process.stdout.columns ?? 100)).action(
    async () => {
      const settings = settingsOf(command);
      const { config, secrets } = shapeConfig(settings);
      // A warning, not an error: the variable may belong to another program.
      for (const sentence of misspeltSettings()) process.stderr.write(`Warning: ${sentence}\n`);
      // Before the start, so that a signal during the start stops the server gracefully.
      const signalled = untilSignalled();
      const server = await start(config, secrets, settings);
      const { url, setupLink } = server;
      print(command, { url, setupLink }, readyText(server));
      await signalled;
      await server.stop();
      process.exit(0);
    },
  );
  return command;
}

/** Loads the server only where it runs: the supervisor of several processes needs little memory. */
async function start(config: Config, secrets: Secrets, settings: RawSettings): Promise<RunningServer> {
  if (config.processes === 1) {
    const { startServer } = await import('../server.ts');
    return await startServer(config, secrets);
  }
  const { startProcesses } = await import('../processes/supervisor.ts');
  return await startProcesses(config, settings);
}

function untilSignalled(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      setTimeout(() => {
        process.stderr.write('posthouse: the server did not stop in time and was terminated.\n');
        process.exit(1);
      }, STOP_LIMIT_MS);
      resolve();
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      // A second signal while stopping ends the process immediately.
      process.once(signal, () => {
        process.once(signal, () => process.exit(1));
        stop();
      });
    }
    // A terminal that closes may send several.
    if (!ignoresHangUp()) process.on('SIGHUP', stop);
  });
}
