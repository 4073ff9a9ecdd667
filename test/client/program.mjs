import { createHash } from 'node:crypto';
import { createPosthouse, PosthouseError } from 'posthouse/client';

/*
 * A program that uses the built client. Its argument is a JSON object; connections to `retryUrl` and `resumeUrl`
 * break once, and the first response of `busyUrl` is 503. Prints a JSON object.
 */

const { url, retryUrl, resumeUrl, busyUrl, token, ClientId, ClientSecret } = JSON.parse(process.argv[2]);
const MB = 1_048_576;
const posthouse = createPosthouse({ url, token });

const errorOf = (call) =>
  call.then(
    () => null,
    (error) =>
      error instanceof PosthouseError
        ? { status: error.status, code: error.code }
        : { message: String(error) },
  );

const bytes = Buffer.alloc(20 * MB);
for (let i = 0; i < bytes.length; i += 4) bytes.writeUInt32LE((i * 2_654_435_761) >>> 0, i);
const sha256 = (content) => createHash('sha256').update(content).digest('hex');
const metadata = (id) => posthouse.get('/api/storage/files/{id}/metadata', { params: { path: { id } } });

async function retried() {
  const progress = [];
  const { fileId } = await createPosthouse({ url: retryUrl, token }).uploads.upload(new Blob([bytes]), {
    name: 'retried.bin',
    onProgress: (sent) => progress.push(sent),
    retryDelays: [10, 50, 100, 500, 1_000, 2_000],
  });
  return { progress, same: (await metadata(fileId)).sha256 === sha256(bytes) };
}

async function resumed() {
  const content = bytes.subarray(0, 10 * MB);
  const file = new Blob([content]);
  const options = { name: 'resumed.bin', retryDelays: [] };
  let address = '';
  const error = await errorOf(
    createPosthouse({ url: resumeUrl, token }).uploads.resumable(file, {
      ...options,
      onAddress(given) {
        address = given;
      },
    }),
  );
  const { fileId } = await posthouse.uploads.resumable(file, { ...options, address });
  return { error, same: (await metadata(fileId)).sha256 === sha256(content) };
}

const whole = await posthouse.uploads.upload(new Blob(['words']), { name: 'small.txt' });
const missing = { params: { path: { id: '00000000-0000-0000-0000-000000000000' } } };
const result = {
  retried: await retried(),
  resumed: await resumed(),
  refused: await errorOf(posthouse.get('/api/storage/files/{id}/metadata', missing)),
  unreachable: await errorOf(createPosthouse({ url: 'http://127.0.0.1:1', retries: 0 }).get('/api/me')),
  whole: (await metadata(whole.fileId)).originalName,
  mail: (
    await createPosthouse({ url: busyUrl }).post('/requestemail', {
      body: { ClientId, ClientSecret, To: 'friend@example.org', Subject: 'Hello', Body: 'Hello' },
    })
  ).Id,
};
const { items } = await posthouse.list('/api/storage/files/{id}', { params: { path: { id: 'root' } } });
const names = items.map(({ originalName }) => originalName).sort();
process.stdout.write(JSON.stringify({ ...result, names }));
