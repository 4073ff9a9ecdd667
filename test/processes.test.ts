import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { freshSettings } from './harness/backends.ts';
import { filesOf, type Metadata } from './harness/files.ts';
import { foundationOf } from './harness/foundation.ts';
import { addMailClient, post } from './harness/mail.ts';
import { MULTIPART_TYPE, multipart } from './harness/multipart.ts';
import { addPerson, type PosthouseProcess, spawnCommand, startProcess } from './harness/posthouse.ts';
import { HTTP_REQUESTS, MAIN, startProgram } from './harness/process.ts';
import { until } from './harness/until.ts';

const REQUESTS = 40;
/** A new connection, which the system may hand to either process. */
const NEW = { headers: { Connection: 'close' } };

const times = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** Returns the processes of a server, the children of its supervisor, in the order of their start. */
const processesOf = ({ pid }: PosthouseProcess) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

/** Returns the value of a metric with these labels, of those that have any. */
async function metric(posthouse: PosthouseProcess, name: string, labels = ''): Promise<number> {
  const text = await (await posthouse.fetch('/metrics', NEW)).text();
  const line = text.split('\n').find((row) => row.startsWith(name) && row.includes(labels));
  return Number(line?.split(' ').at(-1));
}

const pings = (posthouse: PosthouseProcess) =>
  metric(posthouse, 'posthouse_http_request_duration_seconds_count', 'route="/Ping"');

describe('two processes over SQLite', () => {
  let settings: Record<string, string>;
  let posthouse: PosthouseProcess;
  let headers: Record<string, string>;
  beforeAll(async () => {
    settings = {
      ...(await freshSettings('sqlite+local')),
      POSTHOUSE_PROCESSES: '2',
      POSTHOUSE_LOG_LEVEL: 'info',
    };
    posthouse = await startProcess(settings);
    ({ headers } = await addPerson(settings, 'ada@example.org'));
  });
  afterAll(() => posthouse.kill());

  test('both serve requests on one port, and the metrics are of both', async () => {
    expect(processesOf(posthouse)).toHaveLength(2);
    await times(REQUESTS, () => posthouse.fetch('/Ping', NEW));
    expect(await pings(posthouse)).toBe(REQUESTS);
    expect(await metric(posthouse, 'posthouse_build_info')).toBe(1);
    for (const slot of [0, 1])
      expect(posthouse.output()).toMatch(new RegExp(`"process":${slot},.*"msg":"listening"`));
  });

  test('both send as many HTTP requests at the same time as the process that starts them', () => {
    const limit = `BUN_CONFIG_MAX_HTTP_REQUESTS=${HTTP_REQUESTS.BUN_CONFIG_MAX_HTTP_REQUESTS}`;
    for (const pid of processesOf(posthouse))
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')).toContain(limit);
  });

  test('write at the same time without errors', async () => {
    const files = filesOf(posthouse, { ...headers, ...NEW.headers });
    const stored = await times(REQUESTS, async (index) => {
      const file = await files.upload(`content ${index}`, { name: `${index}.txt` });
      return await files.change(file.id, { originalName: `renamed ${index}.txt` });
    });
    expect(stored.map(({ originalName }) => originalName)).toEqual(
      Array.from({ length: REQUESTS }, (_, index) => `renamed ${index}.txt`),
    );
    // Each of them reads this from the database.
    expect(await metric(posthouse, 'posthouse_storage_used_bytes')).toBe(
      stored.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    );
  });

  test('deliver messages that the other one accepted', async () => {
    const client = await addMailClient(settings, 'app', '--services', 'telegram');
    // One process delivers them all; each must be delivered before the next one wakes it.
    const answers = [];
    for (let recipient = 1; recipient <= 10; recipient++) {
      const message = { ...client, Recipients: [String(recipient)], Message: 'Hello' };
      const { status, body } = await post(posthouse, '/requesttelegram', message, NEW.headers);
      answers.push([status, body.Status]);
    }
    expect(answers).toEqual(answers.map(() => [200, 'Sent']));
  });

  test('a wrong guess counts for both', async () => {
    const files = filesOf(posthouse, headers);
    const { id } = await files.upload('secret');
    const { directToken } = await files.change(id, { visibility: 1, accessKey: true });
    const guess = () =>
      posthouse.fetch(`/api/storage/public/media/${directToken}`, {
        headers: { ...NEW.headers, 'X-Access-Key': 'wrong' },
      });
    const statuses = [];
    for (let guesses = 0; guesses < 11; guesses++) statuses.push((await guess()).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 403), 429]);
  });

  test('one that is killed is replaced, and loses nothing that was acknowledged', async () => {
    const files = filesOf(posthouse, { ...headers, ...NEW.headers });
    const before = processesOf(posthouse);
    const acknowledged: Metadata[] = [];
    let running = true;
    const writers = times(4, async (writer) => {
      for (let index = 0; running; index++) {
        const file = await files
          .upload(`${writer} ${index}`, { name: `${writer}-${index}` })
          .catch(() => null);
        if (file) acknowledged.push(file);
      }
    });
    await until(() => acknowledged.length > 10);
    process.kill(before[1] ?? 0, 'SIGKILL');
    const after = await until(() => {
      const now = processesOf(posthouse);
      return now.length === 2 && now[0] === before[0] && now[1] !== before[1] && now;
    });
    const seen = acknowledged.length;
    await until(() => acknowledged.length > seen + 10);
    running = false;
    await writers;
    expect(processesOf(posthouse)).toEqual(after);
    for (const { id, originalName } of acknowledged)
      expect(await (await files.get(`/api/storage/files/${id}/content`)).text()).toBe(
        originalName.replace('-', ' '),
      );
  });

  test('the counts of a killed one stay in the metrics', async () => {
    const before = await pings(posthouse);
    expect(before).toBe(REQUESTS);
    const [, second = 0] = processesOf(posthouse);
    process.kill(second, 'SIGKILL');
    await until(() => !processesOf(posthouse).includes(second));
    expect(await pings(posthouse)).toBe(before);
  });

  test('another server with the same data or the same port is refused', async () => {
    const beside = await spawnCommand({ ...settings, PORT: '0' }, 'serve');
    expect([beside.status, beside.stderr]).toEqual([
      1,
      expect.stringContaining('is running with the data directory'),
    ]);
    const { port } = new URL(posthouse.url);
    const other = { ...(await freshSettings('sqlite+local')), POSTHOUSE_PROCESSES: '2', PORT: port };
    const refused = await spawnCommand(other, 'serve');
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining(`Port ${port} on 127.0.0.1 is in use`),
    ]);
  });
});

test('SIGTERM lets running uploads end in all processes', async () => {
  const settings = { ...(await freshSettings('sqlite+local')), POSTHOUSE_PROCESSES: '2' };
  const posthouse = await startProcess(settings);
  const { headers } = await addPerson(settings, 'ada@example.org');
  // Space is reserved for large bodies only.
  const body = multipart([{ name: 'file', fileName: 'a.txt', value: 'x'.repeat(2_000_000) }]);
  const { hostname, port } = new URL(posthouse.url);
  const fields = { ...headers, Host: 'x', 'Content-Type': MULTIPART_TYPE, 'Content-Length': body.length };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST /api/storage/files/root HTTP/1.1\r\n${lines.join('')}\r\n`;
  const uploads = Array.from({ length: 6 }, () => {
    const socket = connect(Number(port), hostname);
    socket.write(head);
    socket.write(body.subarray(0, -10));
    const status = new Promise<string>((resolve, reject) => {
      socket.on('data', (data) => resolve(data.toString('latin1').slice(9, 12))).on('close', reject);
    });
    return { status, end: () => socket.write(body.subarray(-10)) };
  });
  const { database } = await foundationOf(settings);
  await until(async () => {
    const reserved = await database.read.selectFrom('reservations').select('id').execute();
    return reserved.length === uploads.length;
  });
  const status = posthouse.stop();
  // Neither process accepts further connections.
  await until(() =>
    fetch(new URL('/healthz', posthouse.url), NEW).then(
      () => false,
      () => true,
    ),
  );
  for (const { end } of uploads) end();
  expect(await Promise.all(uploads.map(({ status: of }) => of))).toEqual(uploads.map(() => '201'));
  expect([await status, posthouse.output()]).toEqual([0, expect.any(String)]);
});

test.each(['1', '2'])(
  'SIGHUP, as from a terminal that closes, stops %s processes as SIGTERM does',
  async (count) => {
    const posthouse = await startProcess({
      ...(await freshSettings('sqlite+local')),
      POSTHOUSE_PROCESSES: count,
    });
    for (const pid of [posthouse.pid, ...processesOf(posthouse)]) process.kill(pid, 'SIGHUP');
    process.kill(posthouse.pid, 'SIGHUP');
    expect(await posthouse.exited).toBe(0);
  },
);

test('a server that ignores SIGHUP since its start, as under nohup, keeps ignoring it', async () => {
  const settings = await freshSettings('sqlite+local');
  const posthouse = await startProgram([MAIN, 'serve'], settings, ['nohup']);
  process.kill(posthouse.pid, 'SIGHUP');
  expect((await posthouse.fetch('/healthz')).status).toBe(200);
  expect(await posthouse.stop()).toBe(0);
});

test('the processes end with their supervisor, also one that is stopped', async () => {
  const settings = { ...(await freshSettings('sqlite+local')), POSTHOUSE_PROCESSES: '2' };
  const posthouse = await startProcess(settings);
  const processes = processesOf(posthouse);
  // It cannot detect the end itself.
  process.kill(processes[0] ?? 0, 'SIGSTOP');
  await posthouse.kill();
  await until(() => processes.every((pid) => !isRunning(pid)));
  expect(await (await startProcess(settings)).stop()).toBe(0);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
