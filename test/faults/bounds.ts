import { shapeConfig } from '../../src/config/config.ts';
import { openBlobs } from '../../src/storage/blobs/open.ts';
import { addPerson } from '../harness/accounts.ts';
import { filesOf } from '../harness/files.ts';
import { startProcess } from '../harness/start.ts';
import { until } from '../harness/until.ts';
import type { Extent, Report } from './report.ts';
import type { Seeded } from './seeded.ts';

const QUOTA = 4_000_000;
const LARGEST = QUOTA / 4;
const WORKERS = 4;
const SAMPLE_MS = 100;
const ERASED_WITHIN_MS = 30_000;
/** Errors of a full workspace, of a file that another worker has just changed, and of a busy server. */
const EXPECTED = new Set([404, 409, 503, 507]);

interface Item {
  id: string;
  sizeBytes: number;
  dateDeleted?: string;
}

/**
 * Checks that an account that uploads, replaces, deletes and restores files without pause never holds more bytes than
 * its quota in its files, and as many in its trash with the versions of replaced files. The blobs on disk may also have
 * those of the requests under way.
 */
export async function bytesAreBounded(
  settings: Record<string, string>,
  random: Seeded,
  { minutes }: Extent,
  report: Report,
): Promise<void> {
  const all = { POSTHOUSE_LOG_LEVEL: 'warn', ...settings, POSTHOUSE_WORKSPACE_BYTES: String(QUOTA) };
  const posthouse = await startProcess(all);
  const files = filesOf(posthouse, (await addPerson(all, 'ada@example.org')).headers);
  const { config, secrets } = shapeConfig(all);
  const blobs = openBlobs(config.blobs, secrets.s3);
  const sizeOf = (items: readonly { sizeBytes: number }[]) =>
    items.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const storedBytes = async () =>
    (await Array.fromAsync(blobs.list())).reduce((sum, { size }) => sum + size, 0);
  const live = () => files.read<Item[]>('/api/storage/files/root?limit=1000');
  const trash = () => files.read<Item[]>('/api/storage/trash?limit=1000');
  /** Returns the bytes of entries that existed at one moment: between two lists, each of several queries. */
  async function trashBytes(): Promise<number> {
    const keys = new Set((await trash()).map(({ id, dateDeleted }) => `${id} ${dateDeleted}`));
    return sizeOf((await trash()).filter(({ id, dateDeleted }) => keys.has(`${id} ${dateDeleted}`)));
  }
  const end = performance.now() + minutes * 60_000;
  const counts: Record<string, number> = {};
  const peaks = { used: 0, trash: 0, stored: 0 };

  async function change(seeded: Seeded): Promise<void> {
    const bytes = () => seeded.bytes(seeded.between(1, LARGEST));
    const any = async (items: Promise<Item[]>) => {
      const known = await items;
      return known.length === 0 ? 'missing' : seeded.pick(known).id;
    };
    const kinds = {
      upload: () => files.send('root', bytes()),
      replace: async () => files.replace(await any(live()), bytes()),
      delete: async () => files.remove(await any(live())),
      restore: async () => files.post(`/api/storage/files/${await any(trash())}/restore`),
    };
    while (performance.now() < end) {
      const kind = seeded.pick(['upload', 'upload', 'replace', 'delete', 'delete', 'restore'] as const);
      const { ok, status } = await kinds[kind]();
      const outcome = ok ? kind : `${status}`;
      counts[outcome] = (counts[outcome] ?? 0) + 1;
      report.expect(ok || EXPECTED.has(status), `${kind}: status ${status}`);
    }
  }

  async function sample(): Promise<void> {
    while (performance.now() < end) {
      const [used, trashed, stored] = await Promise.all([files.usedBytes(), trashBytes(), storedBytes()]);
      peaks.used = Math.max(peaks.used, used);
      peaks.trash = Math.max(peaks.trash, trashed);
      peaks.stored = Math.max(peaks.stored, stored);
      await Bun.sleep(SAMPLE_MS);
    }
  }

  try {
    await Promise.all([
      sample(),
      ...Array.from({ length: WORKERS }, (_, worker) => change(random.fork(`worker ${worker}`))),
    ]);
    const share = (bytes: number) => (bytes / QUOTA).toFixed(2);
    report.line(
      `${minutes} minutes (${JSON.stringify(counts)}); most bytes in quotas: files ${share(peaks.used)}, ` +
        `trash ${share(peaks.trash)}, blobs ${share(peaks.stored)}`,
    );
    report.expect(peaks.used <= QUOTA && peaks.trash <= QUOTA, 'files and trash have a quota each at most');
    report.expect(
      peaks.stored <= 2 * QUOTA + 2 * WORKERS * LARGEST,
      'blobs have two quotas and the bytes of the requests under way at most',
    );
    const isErased = async () => (await storedBytes()) <= (await files.usedBytes()) + QUOTA;
    const patience = performance.now() + ERASED_WITHIN_MS;
    await until(async () => (await isErased()) || performance.now() > patience);
    report.expect(await isErased(), 'erased bytes leave the disk soon');
  } finally {
    await posthouse.stop();
  }
}
