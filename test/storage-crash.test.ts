import { describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { filesOf } from './harness/files.ts';
import { MULTIPART_TYPE, multipart } from './harness/multipart.ts';
import { addPerson, type Posthouse, runJson, startPosthouse, startProcess } from './harness/posthouse.ts';

const MB = 1_048_576;
const QUOTA = 12 * MB;
const BODY = multipart([
  {
    name: 'file',
    fileName: 'large.bin',
    value: crypto.getRandomValues(Buffer.alloc(65_536)).toString('latin1').repeat(100),
  },
]);

/** Sends the first `bytes` of an upload over a new connection and leaves it open. */
async function beginUpload(
  posthouse: Posthouse,
  headers: Record<string, string>,
  bytes: number,
  length: number | null,
) {
  const { hostname, port } = new URL(posthouse.url);
  const { promise: sent, resolve, reject } = Promise.withResolvers<void>();
  const framing = length === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  const body = BODY.subarray(0, bytes);
  const head = `POST /api/storage/files/root HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.Authorization}\r\nContent-Type: ${MULTIPART_TYPE}\r\n${framing}\r\n\r\n`;
  let pending = Buffer.concat([
    Buffer.from(length === null ? `${head}${bytes.toString(16)}\r\n` : head),
    body,
  ]);
  const send = (socket: { write(data: Uint8Array): number }) => {
    pending = pending.subarray(socket.write(pending));
    if (pending.length === 0) resolve();
  };
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: { open: send, drain: send, data() {}, error: (_, error) => reject(error) },
  });
  await sent;
  return socket;
}

describe.each(BACKENDS)('interrupted uploads on %s', (backend) => {
  async function start() {
    const settings = { ...(await freshSettings(backend)), POSTHOUSE_WORKSPACE_BYTES: String(QUOTA) };
    const posthouse = await startProcess(settings);
    const ada = await addPerson(settings, 'ada@example.org');
    return { settings, posthouse, ada, files: filesOf(posthouse, ada.headers) };
  }

  /** Waits until the server has reserved space for a running upload. */
  async function untilReserved(posthouse: Posthouse, headers: Record<string, string>): Promise<void> {
    for (let tries = 0; tries < 200; tries++) {
      const answer = await posthouse.fetch('/api/storage/files/root', {
        method: 'POST',
        headers: { ...headers, 'Content-Type': MULTIPART_TYPE },
        body: BODY,
      });
      const { Id } = (await answer.json()) as { Id?: string };
      if (answer.status === 507) return;
      await filesOf(posthouse, headers).remove(Id ?? '');
    }
    throw new Error('no space was reserved');
  }

  test('a SIGKILL leaves no partial file, exact usage and all free space', async () => {
    const { settings, posthouse, ada, files } = await start();
    const kept = await files.upload('kept');
    await beginUpload(posthouse, ada.headers, 5 * MB, 11 * MB);
    await untilReserved(posthouse, ada.headers);
    await posthouse.kill();

    const again = await startPosthouse(settings);
    const { get, upload } = filesOf(again, ada.headers);
    const list = (await (await get('/api/storage/files/root')).json()) as { id: string }[];
    expect(list.map(({ id }) => id)).toEqual([kept.id]);
    expect(await (await get('/api/storage/usage')).json()).toEqual({ usedBytes: 4, maxBytes: QUOTA });
    expect(await (await get(`/api/storage/files/${kept.id}/content`)).text()).toBe('kept');
    await upload(Buffer.alloc(QUOTA - 4));
    expect(await runJson<object>(settings, 'check')).toMatchObject({ files: 2, missing: 0, corrupt: 0 });
    await again.stop();
  });

  test.each([
    ['of known length', 11 * MB],
    ['of unknown length', null],
  ])('a client that disconnects in an upload %s leaves nothing, and its space is free', async (_, length) => {
    const { settings, posthouse, ada, files } = await start();
    const socket = await beginUpload(posthouse, ada.headers, 5 * MB, length);
    if (length !== null) await untilReserved(posthouse, ada.headers);
    const orphans = (await runJson<{ orphaned: number }>(settings, 'check')).orphaned;
    socket.terminate();
    for (let tries = 0; ; tries++) {
      const answer = await files.send('root', new Uint8Array(QUOTA), 'all.bin');
      if (answer.status === 201) break;
      expect([answer.status, tries < 100]).toEqual([507, true]);
    }
    const list = await files.read<{ originalName: string }[]>('/api/storage/files/root');
    expect(list.map(({ originalName }) => originalName)).toEqual(['all.bin']);
    expect(await (await files.get('/api/storage/usage')).json()).toEqual({
      usedBytes: QUOTA,
      maxBytes: QUOTA,
    });
    expect(await runJson<object>(settings, 'check')).toEqual({
      files: 1,
      missing: 0,
      corrupt: 0,
      orphaned: orphans,
    });
    await posthouse.stop();
  });

  test('SIGTERM lets a running upload finish', async () => {
    const { settings, posthouse, ada } = await start();
    const { promise: halfway, resolve: reachHalfway } = Promise.withResolvers<void>();
    const { promise: rest, resolve: sendRest } = Promise.withResolvers<void>();
    const body = async function* () {
      yield BODY.subarray(0, 3 * MB);
      reachHalfway();
      await rest;
      yield BODY.subarray(3 * MB);
    };
    const answered = async () => void (await (await posthouse.fetch('/healthz')).text());
    // The upload takes the connection of this request, which the server has accepted.
    await answered();
    const answering = posthouse.fetch('/api/storage/files/root', {
      method: 'POST',
      headers: { ...ada.headers, 'Content-Type': MULTIPART_TYPE },
      body: body() as unknown as ReadableStream<Uint8Array>,
    });
    await halfway;
    // The response is sent after the server has read what was sent before.
    await answered();
    const stopping = posthouse.stop();
    sendRest();
    expect((await answering).status).toBe(201);
    expect(await stopping).toBe(0);
    expect(posthouse.output()).toMatch(/"stopping".*"stopped"/s);
    expect(await runJson<object>(settings, 'check')).toMatchObject({
      files: 1,
      missing: 0,
      corrupt: 0,
      orphaned: 0,
    });
  });
});
