import type { Database } from '../../kernel/database/database.ts';
import type { Blobs } from '../blobs/port.ts';
import { hasRenditions } from '../delivery/renditions/formats.ts';
import type { RenditionState } from '../tables.ts';
import type { Rendition, StoredFile } from '../tree/files/file.ts';
import { everyFile } from './every-file.ts';

export interface RenditionFindings {
  /** Number of pictures, without those in the trash. */
  pictures: number;
  /** Number of pictures with a rendition that is still to be rendered. */
  pending: number;
  /** Ids of pictures with a rendition whose blob is missing, or that an earlier version did not render. */
  missing: string[];
  /** Ids of pictures with a rendition that could not be rendered. */
  failed: string[];
}

/** The states of renditions that are rendered again. */
type Renewed = 'missing' | 'failed';

interface RenditionCheck {
  database: Database;
  blobs: Pick<Blobs, 'list' | 'stat'>;
}

/** Finds the pictures without renditions, and schedules the kinds in `renewed` to be rendered by the server. */
export async function checkRenditions(
  { database, blobs }: RenditionCheck,
  renewed: ReadonlySet<Renewed>,
): Promise<RenditionFindings> {
  const findings: RenditionFindings = { pictures: 0, pending: 0, missing: [], failed: [] };
  const stored = new Set<string>();
  for await (const { key } of blobs.list()) stored.add(key);
  const stateOf = async ({ state, key }: Rendition): Promise<RenditionState> =>
    // A rendition made meanwhile is not in the list.
    key === null || stored.has(key) || (await blobs.stat(key)) ? state : 'none';

  for await (const file of everyFile(database)) {
    if (file.deletedAt !== null || !hasRenditions(file.mimeType)) continue;
    findings.pictures++;
    const thumbnail = await stateOf(file.thumbnail);
    const states = [thumbnail, await stateOf(file.preview)];
    const renew = async (state: Renewed) => {
      findings[state].push(file.id);
      if (renewed.has(state)) await renderAgain(database, file, thumbnail === 'made');
    };
    if (states.includes('none')) await renew('missing');
    else if (states.includes('failed')) await renew('failed');
    else if (states.includes('pending')) findings.pending++;
  }
  return findings;
}

async function renderAgain(
  database: Database,
  { id, blobKey }: StoredFile,
  keepsThumbnail: boolean,
): Promise<void> {
  const thumbnail = keepsThumbnail ? {} : { thumbnail_state: 'pending' as const, thumbnail_key: null };
  await database.transaction((trx) =>
    trx
      .updateTable('files')
      .set({
        ...thumbnail,
        preview_of: null,
        preview_key: null,
        thumbnail_attempts: 0,
        thumbnail_lease_until: null,
      })
      .where('id', '=', id)
      .where('blob_key', '=', blobKey)
      .execute(),
  );
}
