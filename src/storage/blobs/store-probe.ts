import type { Database } from '../../kernel/database/database.ts';
import { Unavailable } from '../../kernel/errors/unavailable.ts';
import type { Probe } from '../../kernel/service.ts';
import type { Blobs } from './port.ts';

/** Number of the newest, and of the oldest, files that are looked for: some may have been lost. */
const SAMPLES = 3;

interface StoreProbeDeps {
  database: Pick<Database, 'kind' | 'read'>;
  blobs: Pick<Blobs, 'probe' | 'stat'>;
}

/**
 * Returns a probe of the blob store. It fails while the store contains none of the newest and oldest files: a node
 * with a wrong setting would accept files that the other nodes, and a later start with the right setting, do not find.
 */
export function createStoreProbe({ database, blobs }: StoreProbeDeps): Probe {
  let isOfDatabase = false;

  async function samples(): Promise<{ blob_key: string }[]> {
    const files = database.read.selectFrom('files').select('blob_key').limit(SAMPLES);
    const [newest, oldest] = [files.orderBy('blob_key', 'desc'), files.orderBy('blob_key')];
    return [...(await newest.execute()), ...(await oldest.execute())];
  }

  /** Reports whether the store contains one of the samples; null = there are none, or they cannot be read. */
  async function hasFiles(): Promise<boolean | null> {
    // The probe of the database reports its failures.
    const rows = await samples().catch(() => []);
    if (rows.length === 0) return null;
    const facts = await Promise.all(rows.map(({ blob_key }) => blobs.stat(blob_key)));
    return facts.some((each) => each !== null);
  }

  return async () => {
    await blobs.probe();
    if (isOfDatabase) return;
    const found = await hasFiles();
    if (found === false) throw wrongStore(database.kind);
    isOfDatabase = found === true;
  };
}

function wrongStore(kind: Database['kind']): Unavailable {
  const setting = kind === 'postgres' ? 'POSTHOUSE_S3_URL' : 'POSTHOUSE_DATA_DIR';
  const reason = `the store contains none of the newest and oldest files of the database: check ${setting}`;
  return new Unavailable('blobs', reason, { setting });
}
