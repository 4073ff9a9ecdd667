import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { currentKey, findBuild, installedBuilds } from '../../src/builds/find.ts';
import { SERVER } from '../../src/builds/products.ts';
import { readyText } from '../../src/commands/shared/ready-text.ts';
import { shapeConfig } from '../../src/config/config.ts';
import { readSettings } from '../../src/config/env.ts';
import { LOWEST_COST } from './passwords.ts';

/*
 * Runs one server for each connection to the Unix socket that is its argument. Only the first start loads the program.
 * A connection sends lines: the settings as an object, and the time to finish running requests in ms, which stops the
 * server. It receives objects: `printed`, a text that the server prints, and at the end `status`.
 */

const load = lazily(async () => {
  const bundle = findBuild(SERVER, currentKey(SERVER), [installedBuilds(SERVER)]);
  const path = bundle ? join(bundle, 'server.js') : '../../src/server.ts';
  return (await import(path)) as typeof import('../../src/server.ts');
});

async function serve(connection: Socket): Promise<void> {
  const send = (answer: { printed: string } | { status: number }) =>
    connection.writable && connection.write(`${JSON.stringify(answer)}\n`);
  const output = { write: (printed: string) => void send({ printed }) };
  const lines = createInterface({ input: connection })[Symbol.asyncIterator]();
  let status = 0;
  try {
    const { value: settings = '' } = await lines.next();
    const { config, secrets } = shapeConfig(readSettings({}, JSON.parse(settings)));
    const { startServer } = await load();
    const server = await startServer(config, secrets, {
      output,
      passwordCost: LOWEST_COST,
      uploadRecheckMs: 0,
    });
    output.write(`${readyText(server)}\n`);
    const graceMs = await lines.next().then(
      ({ value }) => Number(value ?? 0),
      () => 0,
    );
    await server.stop(graceMs);
  } catch (error) {
    status = 1;
    output.write(`${error instanceof Error ? error.message : error}\n`);
  }
  send({ status });
  connection.end();
}

function lazily<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

// As `main.ts` sets it.
process.umask(0o077);
// The process that started this one has ended.
process.stdin.on('end', () => process.exit()).resume();
const [socket = ''] = process.argv.slice(2);
createServer((connection) => {
  // The test process was killed.
  connection.on('error', () => {});
  void serve(connection);
}).listen(socket, () => process.stdout.write('ready\n'));
