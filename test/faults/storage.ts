import { addPerson } from '../harness/accounts.ts';
import { runCommand } from '../harness/command.ts';
import { chunked, MULTIPART_TYPE, multipart } from '../harness/multipart.ts';
import { metadata, UPLOADS } from '../harness/tus.ts';
import { type Answer, jsonOf, type KilledServer, startKilledServer } from './killed-server.ts';
import { createLedger, type Ledger } from './ledger.ts';
import type { Extent, Report } from './report.ts';
import type { Seeded } from './seeded.ts';

const WORKERS = 8;
const SETTINGS = { POSTHOUSE_LOG_LEVEL: 'warn', POSTHOUSE_WORKSPACE_BYTES: String(2 ** 40) };

interface Counts {
  uploads: number;
  /** Resumable uploads that continued after a kill. */
  resumed: number;
  replacements: number;
  deletions: number;
  /** Requests without a response because the server died. */
  died: number;
  reads: number;
}

interface CheckDeps {
  server: Pick<KilledServer, 'request'>;
  headers: Record<string, string>;
  ledger: Ledger;
  report: Report;
}

interface Work extends CheckDeps {
  counts: Counts;
  shouldContinue(): boolean;
}

/** Checks that exactly the files acknowledged by a server that is killed repeatedly exist, intact. */
export async function storageSurvives(
  settings: Record<string, string>,
  random: Seeded,
  extent: Extent,
  report: Report,
): Promise<void> {
  const all = { ...SETTINGS, ...settings };
  const server = await startKilledServer({ settings: all, random: random.fork('kills') });
  const { headers } = await addPerson(all, 'ada@example.org');
  const counts: Counts = { uploads: 0, resumed: 0, replacements: 0, deletions: 0, died: 0, reads: 0 };
  const shouldContinue = () => server.kills() < extent.kills || counts.uploads < extent.files;
  const work: Work = { server, headers, ledger: createLedger(), counts, report, shouldContinue };
  await Promise.all([
    server.killRepeatedly(shouldContinue, () => counts.uploads, extent.files / (extent.kills * 1.2)),
    ...Array.from({ length: WORKERS }, (_, worker) =>
      change(`${worker}`, work, random.fork(`worker ${worker}`)),
    ),
    readFiles(work, random.fork('reads')),
  ]);
  report.line(
    `${server.kills()} kills; acknowledged: ${counts.uploads} uploads (${counts.resumed} resumed), ${counts.replacements} replacements, ${counts.deletions} deletions; ` +
      `${counts.died} requests without a response; ${counts.reads} reads in the meantime`,
  );
  await check(work, all);
  await server.stop();
}

/** Uploads, replaces and deletes its own files, one at a time. */
async function change(
  worker: string,
  { server, headers, ledger, counts, report, shouldContinue }: Work,
  random: Seeded,
): Promise<void> {
  /** Files in a known state, by name. */
  const own = new Map<string, string>();
  const send = async (
    path: string,
    name: string,
    expected: number,
  ): Promise<{ id: string; hash: string } | null> => {
    const bytes = random.bytes(sizeOf(random));
    const hash = sha256(bytes);
    ledger.begin(name, hash);
    const body = multipart([
      { name: 'file', value: bytes, fileName: name, type: 'application/octet-stream' },
    ]);
    const answer = await server.request(path, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': MULTIPART_TYPE },
      // With and without a known length, and some slow enough to be interrupted by a kill.
      body: random.chance(0.5) ? body : random.chance(0.5) ? chunked(body, 65_536) : slowly(body, random),
    });
    if (!isExpected(answer, expected, `${path} of ${name}`)) return null;
    ledger.holds(name, hash);
    return { id: jsonOf<{ Id: string }>(answer).Id, hash };
  };
  const isExpected = (answer: Answer | null, status: number, what: string): answer is Answer => {
    if (answer === null) counts.died++;
    else
      report.expect(
        answer.status === status,
        `${what}: ${answer.status} ${new TextDecoder().decode(answer.bytes).slice(0, 500)}`,
      );
    return answer?.status === status;
  };

  /** Uploads by tus: once created, the upload must be completed despite kills. */
  const sendResumably = async (name: string, replaceFileId?: string): Promise<{ id: string } | null> => {
    const bytes = random.bytes(sizeOf(random));
    const hash = sha256(bytes);
    const tus = { ...headers, 'Tus-Resumable': '1.0.0' };
    ledger.begin(name, hash);
    const wanted = metadata({ filename: name, ...(replaceFileId ? { replaceFileId } : {}) });
    const begin = { ...tus, 'Upload-Length': String(bytes.byteLength), 'Upload-Metadata': wanted };
    const begun = await server.request(UPLOADS, { method: 'POST', headers: begin });
    if (!isExpected(begun, 201, `the creation of ${name}`)) return null;
    const path = begun.headers.get('Location') ?? '';
    let died = 0;
    for (;;) {
      const head = await server.request(path, { method: 'HEAD', headers: tus });
      if (head !== null && !isExpected(head, 200, `the offset of ${name}`)) return null;
      const id = head?.headers.get('Posthouse-File-Id');
      if (id) {
        ledger.holds(name, hash);
        if (died > 0) counts.resumed++;
        return { id };
      }
      const offset = head?.headers.get('Upload-Offset') ?? null;
      const chunk = {
        ...tus,
        'Upload-Offset': offset ?? '',
        'Content-Type': 'application/offset+octet-stream',
      };
      const body = offset === null ? null : slowly(bytes.subarray(Number(offset)), random);
      if (body === null || (await server.request(path, { method: 'PATCH', headers: chunk, body })) === null)
        died++;
    }
  };

  for (let number = 0; shouldContinue(); number++) {
    const dice = random.next();
    const known = dice < 0.3 && own.size > 0 ? random.pick([...own]) : null;
    if (known === null) {
      const name = `${worker}-${number}.bin`;
      const made = random.chance(0.25)
        ? await sendResumably(name)
        : await send('/api/storage/files/root', name, 201);
      if (made === null) continue;
      counts.uploads++;
      own.set(name, made.id);
      continue;
    }
    const [name, id] = known;
    own.delete(name);
    if (dice < 0.15) {
      const path = `/api/storage/files/${id}/replace`;
      if ((await (random.chance(0.25) ? sendResumably(name, id) : send(path, name, 200))) === null) continue;
      counts.replacements++;
      own.set(name, id);
    } else {
      ledger.beginRemoval(name);
      const answer = await server.request(`/api/storage/files/${id}`, { method: 'DELETE', headers });
      if (!isExpected(answer, 204, `the deletion of ${name}`)) continue;
      counts.deletions++;
      ledger.removed(name);
    }
  }
}

/** Most files are small, some are large. */
function sizeOf(random: Seeded): number {
  const dice = random.next();
  if (dice < 0.1) return random.between(0, 16);
  if (dice < 0.4) return random.between(1, 65_536);
  return dice < 0.9 ? random.between(1, 600_000) : random.between(1, 6_000_000);
}

function slowly(body: Uint8Array, random: Seeded): ReadableStream<Uint8Array> {
  const piece = Math.max(1, Math.ceil(body.byteLength / random.between(2, 12)));
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      if (at >= body.byteLength) return controller.close();
      await Bun.sleep(random.between(5, 60));
      controller.enqueue(body.subarray(at, at + piece));
      at += piece;
    },
  });
}

interface Listed {
  id: string;
  originalName: string;
  sizeBytes: number;
  sha256: string;
}

/** Returns the files of the root folder; null = the server died meanwhile. */
async function list({ server, headers }: CheckDeps): Promise<Listed[] | null> {
  const files: Listed[] = [];
  let next: string | undefined = '/api/storage/files/root?limit=1000';
  while (next) {
    const answer: Answer | null = await server.request(next, { headers });
    if (answer === null) return null;
    files.push(...jsonOf<Listed[]>(answer));
    const link = /^<([^>]+)>/.exec(answer.headers.get('Link') ?? '')?.[1];
    next = link && new URL(link, 'http://any').pathname + new URL(link, 'http://any').search;
  }
  return files;
}

/** Reads files while they change: every visible file must be intact at any time. */
async function readFiles(work: Work, random: Seeded): Promise<void> {
  const { server, headers, ledger, counts, report, shouldContinue } = work;
  while (shouldContinue()) {
    await Bun.sleep(random.between(20, 200));
    const files = await list(work);
    if (files === null || files.length === 0) continue;
    const { id, originalName } = random.pick(files);
    const before = new Set(ledger.mayHold(originalName));
    const answer = await server.request(contentPath({ id }), { headers });
    // Deleted in the meantime.
    if (answer === null || answer.status === 404) continue;
    counts.reads++;
    const hash = sha256(answer.bytes);
    report.expect(
      answer.status === 200 && (before.has(hash) || ledger.mayHold(originalName)?.has(hash) === true),
      `${originalName} was seen with ${answer.bytes.byteLength} bytes that were never sent (status ${answer.status})`,
    );
  }
}

/** Returns the path of the bytes of a file. */
export function contentPath({ id }: Pick<Listed, 'id'>): string {
  return `/api/storage/files/${id}/content`;
}

/** Returns the hash of the bytes of a file. */
async function hashOf(file: Listed, { server, headers }: CheckDeps): Promise<string> {
  const { sizeBytes } = file;
  const answer = await server.request(contentPath(file), { headers });
  if (answer?.status !== 200) return `status ${answer?.status}`;
  if (answer.bytes.byteLength !== sizeBytes) return `${answer.bytes.byteLength} bytes`;
  return sha256(answer.bytes);
}

/** Deletes all files but that with the path `kept`, so that a later check does not read them again. */
export async function removeFiles(work: CheckDeps, kept: string): Promise<void> {
  const { server, headers, ledger, report } = work;
  const files = ((await list(work)) ?? []).filter((file) => contentPath(file) !== kept);
  await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      for (let file = files.pop(); file; file = files.pop()) {
        const { id, originalName } = file;
        ledger.beginRemoval(originalName);
        const answer = await server.request(`/api/storage/files/${id}`, { method: 'DELETE', headers });
        // A busy server may refuse; the file is deleted after the next check then.
        report.expect(
          answer?.status === 204 || answer?.status === 503,
          `the deletion of ${originalName}: ${answer?.status}`,
        );
        if (answer?.status === 204) ledger.removed(originalName);
      }
    }),
  );
}

/** Compares the files and their sums with the ledger. */
export async function check(work: CheckDeps, settings: Record<string, string>): Promise<void> {
  const { server, headers, ledger, report } = work;
  const files = (await list(work)) ?? [];
  const shown = new Map<string, string>();
  for (const file of files) {
    const { originalName } = file;
    report.expect(!shown.has(originalName), `${originalName} exists twice`);
    const hash = await hashOf(file, work);
    report.expect(hash === file.sha256, `${originalName} has other bytes than its metadata says`);
    shown.set(originalName, hash);
  }
  const wrong = ledger.compare(shown);
  report.expect(
    wrong.length === 0,
    `${wrong.length} files are not as acknowledged: ${wrong.slice(0, 5).join('; ')}`,
  );

  const usage = await server.request('/api/storage/usage', { headers });
  const used = usage === null ? null : jsonOf<{ usedBytes: number }>(usage).usedBytes;
  const sum = files.reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0);
  report.expect(used === sum, `usedBytes is ${used}, and the files have ${sum}`);

  const { status, stdout } = await runCommand(settings, 'check', '--json');
  const checked = JSON.parse(stdout || 'null') as {
    files: number;
    missing: number;
    corrupt: number;
    orphaned: number;
  } | null;
  report.line(`${files.length} files with ${sum} bytes exist; posthouse check: ${stdout.trim()}`);
  report.expect(
    status === 0 && checked?.missing === 0 && checked.corrupt === 0 && checked.files === files.length,
    `posthouse check ended with ${status}: ${stdout}`,
  );
}

export function sha256(bytes: Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
}
