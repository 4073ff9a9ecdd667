import { shapeConfig } from '../config/config.ts';
import { endWithParent } from '../kernel/compute/end-with-parent.ts';
import { describeError } from '../kernel/log.ts';
import { startServer } from '../server.ts';
import type { FromProcess, StartMessage, ToProcess } from './messages.ts';
import { createSiblingLink, type Link } from './siblings.ts';

/* One of several processes of a server, started by the supervisor. */

const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
let link: Link | null = null;

function send(message: FromProcess): void {
  process.send?.(message);
}

async function run({ settings, slot, port }: StartMessage, { siblings }: Link): Promise<void> {
  try {
    const { config, secrets } = shapeConfig(settings);
    const server = await startServer({ ...config, port }, secrets, { siblings });
    send({
      type: 'ready',
      url: server.url,
      port: server.port,
      setupLink: slot === 0 ? server.setupLink : null,
    });
    await stopped;
    await server.stop();
    process.exit(0);
  } catch (error) {
    const { message, cause } = describeError(error);
    send({ type: 'failed', message: `${message}${cause ? ` (${cause.message})` : ''}` });
    process.exit(1);
  }
}

process.on('message', (message: ToProcess) => {
  if (message.type === 'stop') stop();
  else if (message.type === 'ping') send({ type: 'pong' });
  else if (message.type !== 'start') void link?.receive(message);
  else if (!link) {
    link = createSiblingLink(message.slot, send);
    void run(message, link);
  }
});
process.on('SIGTERM', () => stop());
// Ctrl-C in a terminal, and its end, reach the supervisor too, which stops all processes.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
// Without the supervisor, which holds the lock of the data directory, another server may start.
process.on('disconnect', () => process.exit(1));
endWithParent();
