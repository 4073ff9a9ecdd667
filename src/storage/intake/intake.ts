import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Holds } from '../../kernel/leases/holds.ts';
import type { Log } from '../../kernel/log.ts';
import type { Blobs } from '../blobs/port.ts';
import type { LinkUploads } from '../links/uploads.ts';
import type { StoredFile } from '../tree/files/file.ts';
import type { RequireRoom } from '../tree/room.ts';
import type { Tree } from '../tree/tree.ts';
import { createGarbage } from './garbage.ts';
import { createHasher } from './hashing/hasher.ts';
import { createIngest } from './ingest.ts';
import { createReceiver } from './receiver.ts';
import { createUploads } from './resumable/uploads.ts';

interface IntakeDeps {
  database: Database;
  clock: Clock;
  log: Log;
  blobs: Blobs;
  holds: Holds;
  tree: Pick<Tree, 'quota' | 'files' | 'folders' | 'trashSpace'>;
  /** Maximum size of a file. */
  fileBytes: number;
  requireRoom: RequireRoom;
  links: LinkUploads;
  /** Called after the commit of a file. */
  stored(file: StoredFile): void;
}

/** Creates the modules that receive bytes: in one request, and resumably. */
export function createIntake(deps: IntakeDeps) {
  const { database, blobs, fileBytes, requireRoom, tree } = deps;
  const { quota, files, folders, trashSpace } = tree;
  const hasher = createHasher();
  const garbage = createGarbage();
  const ingest = createIngest({ blobs, fileBytes, hasher, garbage });
  const receiver = createReceiver({ database, ingest, quota, requireRoom });
  const uploads = createUploads({ ...deps, quota, files, folders, trashSpace, receiver });
  return { receiver, uploads, garbage, stop: hasher.stop };
}
