import { MULTIPART_TYPE, multipart } from '../harness/multipart.ts';
import type { KilledServer } from './killed-server.ts';
import type { Ledger } from './ledger.ts';
import type { Seeded } from './seeded.ts';
import { contentPath, sha256 } from './storage.ts';

const TYPE = 'application/octet-stream';
const UPLOADERS = 4;
const PAUSE_MS = 800;

interface Uploading {
  request: KilledServer['request'];
  headers: Record<string, string>;
  ledger: Ledger;
  random: Seeded;
}

/** Starts uploads of files of random sizes. Returns a function that stops them, and waits for those under way. */
export function startUploads(uploading: Uploading): () => Promise<void> {
  let isOver = false;
  const work = Promise.all(
    Array.from({ length: UPLOADERS }, (_, worker) =>
      upload(uploading, uploading.random.fork(`${worker}`), () => !isOver),
    ),
  );
  return async () => {
    isOver = true;
    await work;
  };
}

async function upload(
  { request, headers, ledger }: Uploading,
  random: Seeded,
  shouldContinue: () => boolean,
): Promise<void> {
  while (shouldContinue()) {
    await Bun.sleep(random.between(0, PAUSE_MS));
    const name = `${crypto.randomUUID()}.bin`;
    const value = random.bytes(random.between(1, random.chance(0.1) ? 3_000_000 : 100_000));
    const hash = sha256(value);
    ledger.begin(name, hash);
    const body = multipart([{ name: 'file', value, fileName: name, type: TYPE }]);
    const init = { method: 'POST', headers: { ...headers, 'Content-Type': MULTIPART_TYPE }, body };
    const answer = await request('/api/storage/files/root', init);
    if (answer?.status === 201) ledger.holds(name, hash);
  }
}

interface Storing extends Pick<Uploading, 'headers' | 'ledger'> {
  url: string;
}

/** Stores a file of zeros, and returns the path of its bytes. */
export async function storeFile({ url, headers, ledger }: Storing, bytes: number): Promise<string> {
  const fileName = 'large.bin';
  const value = Buffer.alloc(bytes);
  const body = multipart([{ name: 'file', value, fileName, type: TYPE }]);
  const init = { method: 'POST', headers: { ...headers, 'Content-Type': MULTIPART_TYPE }, body };
  const answer = await fetch(new URL('/api/storage/files/root', url), init);
  const { Id: id } = (await answer.json()) as { Id: string };
  ledger.holds(fileName, sha256(value));
  return contentPath({ id });
}
