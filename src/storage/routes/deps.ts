import type { Passwords } from '../../kernel/crypto/passwords.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { GiveWay } from '../../kernel/event-loop/time-slices.ts';
import type { BlobReader } from '../blobs/small.ts';
import type { Exports } from '../delivery/export.ts';
import type { AwaitRendition } from '../delivery/renditions/awaiting.ts';
import type { Receiver } from '../intake/receiver.ts';
import type { Uploads } from '../intake/resumable/uploads.ts';
import type { CopyStripped } from '../intake/stripped-copies.ts';
import type { NamesOf } from '../teams/names.ts';
import type { StoredFile } from '../tree/files/file.ts';
import type { Files } from '../tree/files/files.ts';
import type { Folders } from '../tree/folders/folders.ts';
import type { Trash } from '../tree/trash/trash.ts';
import type { Workspaces } from '../tree/workspaces.ts';
import type { Members } from './members.ts';
import type { RecheckUpload } from './recheck.ts';
import type { HandleTus } from './resumable/protocol.ts';

/** Dependencies of the endpoints for members of workspaces; each uses some of them. */
export interface RoutesDeps {
  database: Database;
  members: Members;
  workspaces: Workspaces;
  folders: Folders;
  files: Files;
  trash: Trash;
  trashDays: number;
  namesOf: NamesOf;
  blobs: BlobReader;
  exports: Exports;
  awaitRendition: AwaitRendition;
  receiver: Receiver;
  uploads: Uploads;
  tus: HandleTus;
  copyStripped: CopyStripped;
  passwords: Passwords;
  recheckUpload: RecheckUpload;
  /** Called after a file with other bytes is committed. */
  stored(file: StoredFile): void;
  giveWay: GiveWay;
}
