import type { Clock } from '../../kernel/clock.ts';
import type { Database, Reader, Transaction } from '../../kernel/database/database.ts';
import { requireFewer } from '../../kernel/database/row-limit.ts';
import { createTimeSlices } from '../../kernel/event-loop/time-slices.ts';
import { newId, newToken } from '../../kernel/ids.ts';
import { notFound } from '../../kernel/problem.ts';
import type { Changed } from '../tree/changes.ts';
import { deleteLinks } from '../tree/dependents.ts';
import { type Member, prepareReach, type Role, roleOf } from '../tree/member.ts';
import { type FoundLink, foundLink, type LinkRights, selectLinks } from './link.ts';
import { type LinkTarget, lockTarget, setFiles } from './targets.ts';

/** The settings of a link; undefined = unchanged, null removes. */
export interface LinkSettings {
  access?: LinkRights;
  title?: string | null;
  message?: string | null;
  passwordHash?: string | null;
  expiresAt?: number | null;
  maxDownloads?: number | null;
  maxBytes?: number | null;
  maxFiles?: number | null;
}

export interface LinkChange extends LinkSettings {
  /** Undefined = unchanged. */
  target?: LinkTarget;
  newToken?: boolean;
}

export interface NewLink extends LinkSettings {
  target: LinkTarget;
  access: LinkRights;
  /** Id of the member. */
  by: string;
}

interface ListOptions {
  limit: number;
  /** Links created before the one with this id. */
  cursor?: string;
  folderId?: string;
}

/**
 * The rows of links. Editors can find their own links, managers all links of the workspace. Changes by members
 * require the locks of the workspaces of the link and of its target, with which both were found (`findLocked`).
 */
export interface Links {
  /** @throws Problem 404, 403 `role_insufficient` */
  find(reader: Reader, member: Member, id: string): Promise<FoundLink>;
  /** Returns the newest links of a workspace. @param workspace with the member's role in it */
  list(member: Member, workspace: { id: string; role: Role }, options: ListOptions): Promise<FoundLink[]>;
  /** Returns the id of the link. @throws Problem 409 `limit_reached` */
  create(trx: Transaction, link: NewLink): Promise<string>;
  /** @throws Problem 409 `limit_reached` */
  change(trx: Transaction, link: FoundLink, change: LinkChange): Promise<void>;
  /**
   * Deletes a link, or only a batch of the rows that refer to it; reports whether it must be called again.
   */
  remove(trx: Transaction, link: FoundLink): Promise<boolean>;
}

/** Maximum number of links of a workspace. */
const LINKS_EACH = 10_000;

interface LinksDeps {
  database: Database;
  clock: Clock;
  /** Called when the password of a link changes. */
  secretsChanged(trx: Transaction, linkId: string): Promise<void>;
  changed: Changed;
}

/** Links of one query, which counts up to a thousand files of each: SQLite runs it on the calling thread. */
const LINKS_AT_ONCE = 50;

export function createLinks({ database, clock, secretsChanged, changed }: LinksDeps): Links {
  const giveWay = createTimeSlices();
  const findCreator = prepareReach(database, (memberships, { id }: { id: string }) =>
    memberships
      .innerJoin('links', 'links.workspace_id', 'memberships.workspace_id')
      .select('links.created_by')
      .where('links.id', '=', id),
  );
  return {
    async find(reader, member, id) {
      const row = await findCreator(reader, member, { id });
      if (roleOf(row) !== 'manager' && row.created_by !== member.id) throw notFound();
      const link = await selectLinks(reader).where('links.id', '=', id).executeTakeFirstOrThrow(notFound);
      return foundLink(link);
    },
    async list(member, { id, role }, { limit, cursor, folderId }) {
      let all = selectLinks(database.read).where('links.workspace_id', '=', id).orderBy('links.id', 'desc');
      if (role !== 'manager') all = all.where('links.created_by', '=', member.id);
      if (folderId !== undefined) all = all.where('links.folder_id', '=', folderId);
      const found: FoundLink[] = [];
      for (let last = cursor; found.length < limit; last = found.at(-1)?.id) {
        const atMost = Math.min(limit - found.length, LINKS_AT_ONCE);
        const next = last === undefined ? all : all.where('links.id', '<', last);
        const rows = await next.limit(atMost).execute();
        found.push(...rows.map(foundLink));
        if (rows.length < atMost) break;
        await giveWay();
      }
      return found;
    },
    async create(trx, { target, by, ...settings }) {
      await lockTarget(database, trx, target);
      await requireSpace(trx, target.workspaceId);
      const id = newId();
      await trx
        .insertInto('links')
        .values({
          id,
          workspace_id: target.workspaceId,
          token: newToken(),
          folder_id: target.folderId,
          ...columnsOf(settings),
          access: settings.access,
          created_by: by,
          date_created: clock.now(),
        })
        .execute();
      await setFiles(trx, id, target.fileIds);
      changed(trx, target.workspaceId, null);
      return id;
    },
    async change(trx, link, change) {
      const { target, newToken: isNew, ...settings } = change;
      if (target) await lockTarget(database, trx, target);
      if (target && target.workspaceId !== link.workspaceId) await requireSpace(trx, target.workspaceId);
      await trx.updateTable('links').set(changedColumns(link, change)).where('id', '=', link.id).execute();
      if (target) await setFiles(trx, link.id, target.fileIds);
      for (const id of new Set([link.workspaceId, target?.workspaceId ?? link.workspaceId]))
        changed(trx, id, null);
      if (isNew || settings.passwordHash !== undefined || settings.access === 'view')
        await endUploads(trx, link.id);
      if (settings.passwordHash !== undefined) await secretsChanged(trx, link.id);
    },
    async remove(trx, { id, workspaceId }) {
      if (await deleteLinks(trx, 'id', [id])) return true;
      changed(trx, workspaceId, null);
      await endUploads(trx, id);
      await secretsChanged(trx, id);
      return false;
    },
  };
}

/** @throws Problem 409 `limit_reached` */
async function requireSpace(trx: Transaction, workspaceId: string): Promise<void> {
  const links = trx.selectFrom('links').select('id').where('workspace_id', '=', workspaceId);
  await requireFewer(links, LINKS_EACH, 'links per workspace');
}

function changedColumns(link: FoundLink, { target, newToken: isNew, ...settings }: LinkChange) {
  return {
    ...columnsOf(settings),
    ...(target && { folder_id: target.folderId, workspace_id: target.workspaceId }),
    // A new limit does not count earlier downloads.
    ...(typeof settings.maxDownloads === 'number' && link.maxDownloads === null && { download_count: 0 }),
    ...(isNew && { token: newToken() }),
    id: link.id,
  };
}

function columnsOf(settings: LinkSettings) {
  return {
    access: settings.access,
    title: settings.title,
    message: settings.message,
    password_hash: settings.passwordHash,
    expires_at: settings.expiresAt,
    max_downloads: settings.maxDownloads,
    max_bytes: settings.maxBytes,
    max_files: settings.maxFiles,
  };
}

/** Expires the resumable uploads through a link, since its visitors can no longer continue them. */
async function endUploads(trx: Transaction, linkId: string): Promise<void> {
  await trx
    .updateTable('uploads')
    .set({ expires_at: 0 })
    .where('account_id', '=', linkId)
    .where('file_id', 'is', null)
    .execute();
}
