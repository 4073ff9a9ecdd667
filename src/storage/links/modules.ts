import type { Clock } from '../../kernel/clock.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Attempts } from '../../kernel/limits/attempts.ts';
import { attemptScope } from '../delivery/attempts.ts';
import { createDownloads } from '../delivery/downloads.ts';
import type { Exports } from '../delivery/export.ts';
import type { Gate } from '../delivery/gate.ts';
import type { Changed } from '../tree/changes.ts';
import type { Files } from '../tree/files/files.ts';
import type { Folders } from '../tree/folders/folders.ts';
import type { Workspaces } from '../tree/workspaces.ts';
import { createLinkAccess } from './access.ts';
import { createLinkContent } from './content.ts';
import { createLinks } from './links.ts';
import { createFindTarget } from './targets.ts';
import { createUploadKeys } from './upload-keys.ts';
import { createLinkUploads } from './uploads.ts';

interface LinkModulesDeps {
  database: Database;
  vault: Vault;
  clock: Clock;
  attempts: Attempts;
  gate: Gate;
  exports: Exports;
  files: Files;
  folders: Folders;
  workspaces: Workspaces;
  changed: Changed;
  /** Default quota of a workspace. */
  workspaceBytes: number;
}

export type LinkModules = ReturnType<typeof createLinkModules>;

/**
 * Links to folders and to chosen files: their rows, access to them, what they open, their downloads, and the files
 * that visitors send.
 */
export function createLinkModules(deps: LinkModulesDeps) {
  const { vault, attempts } = deps;
  return {
    links: createLinks({
      ...deps,
      secretsChanged: (trx, linkId) => attempts.clearAll(trx, attemptScope('link', linkId)),
    }),
    findTarget: createFindTarget(deps),
    linkUploads: createLinkUploads(deps),
    uploadKeys: createUploadKeys(vault),
    linkAccess: createLinkAccess(deps),
    content: createLinkContent(deps),
    downloads: createDownloads({ ...deps, of: 'link' }),
  };
}
