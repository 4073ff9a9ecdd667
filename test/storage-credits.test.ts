import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import { connect } from 'node:net';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { filesOf } from './harness/files.ts';
import { MULTIPART_TYPE, multipart } from './harness/multipart.ts';
import { addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';
import { refusal } from './harness/refusal.ts';
import { tusOf } from './harness/tus.ts';

const MB = 1_048_576;
const FULL: [number, string] = [507, 'quota_exceeded'];

describe.each(BACKENDS)('uploads that replace one file of a full workspace at once on %s', (backend) => {
  let posthouse: Posthouse;
  let headers: Record<string, string>;
  let files: ReturnType<typeof filesOf>;
  let tus: ReturnType<typeof tusOf>;
  let id: string;

  beforeAll(async () => {
    const settings = { ...(await freshSettings(backend)), POSTHOUSE_WORKSPACE_BYTES: String(4 * MB) };
    posthouse = await startPosthouse(settings);
    ({ headers } = await addPerson(settings, 'person@example.org'));
    files = filesOf(posthouse, headers);
    tus = tusOf(posthouse, headers);
    ({ id } = await files.upload(Buffer.alloc(3 * MB, 'a'), { name: 'a.bin' }));
  });
  afterAll(() => posthouse.stop());

  test('get a credit of its size once, if they are resumable', async () => {
    const replacing = { filename: 'a.bin', replaceFileId: id };
    const named = { filename: 'b.bin', onConflict: 'replace' };
    const first = await tus.begin(3 * MB, replacing);
    expect(await refusal(tus.create(3 * MB, replacing))).toEqual(FULL);
    // The file is the same under another name.
    await files.change(id, { originalName: 'b.bin' });
    expect(await refusal(tus.create(3 * MB, named))).toEqual(FULL);
    const rest = await tus.begin(MB, named);
    for (const path of [first, rest]) expect((await tus.send('DELETE', path)).status).toBe(204);
    const whole = await tus.begin(3 * MB, named);
    expect((await tus.patch(whole, 0, Buffer.alloc(3 * MB, 'b'))).headers.get('Posthouse-File-Id')).toBe(id);
    // A finished upload does not count.
    await tus.send('DELETE', await tus.begin(3 * MB, named));
  });

  /** Sends a form but for its last byte. @returns the status of the response, and a function that sends the byte */
  async function open(path: string, isSized: boolean) {
    const file = { name: 'file', fileName: 'b.bin', value: Buffer.alloc(3 * MB, 'c') };
    const isNamed = !path.endsWith('/replace');
    const body = multipart(isNamed ? [{ name: 'onConflict', value: 'replace' }, file] : [file]);
    const { hostname, port } = new URL(posthouse.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    await once(socket, 'connect');
    const status = once(socket, 'data').then(([data]) => Number(String(data).split(' ')[1]));
    const length = isSized ? `Content-Length: ${body.length}` : 'Transfer-Encoding: chunked';
    const lines = [
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      length,
      'Connection: close',
    ];
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${MULTIPART_TYPE}\r\n${lines.join('\r\n')}\r\n\r\n`,
    );
    const [most, last] = [body.subarray(0, -1), body.subarray(-1)];
    const write = (bytes: Buffer) => {
      if (!isSized) socket.write(`${bytes.length.toString(16)}\r\n`);
      socket.write(bytes);
      if (!isSized) socket.write('\r\n');
    };
    write(most);
    return {
      status,
      finish() {
        write(last);
        if (!isSized) socket.write('0\r\n\r\n');
      },
    };
  }

  describe.each([
    ['known', true],
    ['unknown', false],
  ])('receive its size once, if their length is %s', (_, isSized) => {
    test.each(['/api/storage/files/root', 'replace'])('at %s', async (path) => {
      const target = path === 'replace' ? `/api/storage/files/${id}/replace` : path;
      const both = [await open(target, isSized), await open(target, isSized)];
      const refused = await Promise.race(both.map(({ status }, index) => status.then(() => index)));
      expect(await both[refused]?.status).toBe(507);
      const other = both[1 - refused];
      other?.finish();
      expect(await other?.status).toBe(path === 'replace' ? 200 : 201);
    });
  });
});
