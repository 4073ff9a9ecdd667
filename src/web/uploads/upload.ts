import type { Ask } from '../conflicts/questions.ts';
import type { OnConflict } from '../conflicts/resolve.ts';
import type { TakenNames } from './taken-names.ts';
import type { UploadFolders } from './upload-folders.ts';

export interface Upload {
  id: string;
  file: File;
  name: string;
  folderId: string;
  /** Names of the folders below `folderId` that the file goes into; missing ones are created. */
  path: readonly string[];
  /** The file whose content is replaced; null creates a file. */
  replaceFileId: string | null;
  /** Handling of a taken name; `fail` until the person has decided. */
  onConflict: OnConflict;
  /** Asks about the files that were added together with this one. */
  ask: Ask;
  /** The folders of the files that were added together with this one. */
  folders: UploadFolders;
  /** The names in these folders. */
  names: TakenNames;
  status: UploadStatus;
  /** Bytes that the server has received. */
  sent: number;
  /** Why the upload failed or waits. */
  reason: string | null;
  /** URL of a resumable upload on the server. */
  address: string | null;
  /** Whether the browser stores the upload across reloads. */
  stored: boolean;
}

/**
 * `asking`: the name is taken, and the person has to decide. `offline`: the server does not respond, and the upload is
 * retried automatically.
 */
export type UploadStatus = 'waiting' | 'asking' | 'running' | 'paused' | 'offline' | 'done' | 'failed';

export const isUnfinished = ({ status }: Upload) =>
  ['waiting', 'asking', 'running', 'offline'].includes(status);
