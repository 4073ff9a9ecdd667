import { openIdentityStores } from '../foundation/identity-stores.ts';
import { isoTime } from '../kernel/clock.ts';
import { inBatches } from '../kernel/database/batches.ts';
import { isId } from '../kernel/ids.ts';
import { createAttempts } from '../kernel/limits/attempts.ts';
import { attemptScope } from '../storage/delivery/attempts.ts';
import { type AnyLink, linkWith, newestLinks } from '../storage/links/all-links.ts';
import { createLinks } from '../storage/links/links.ts';
import { publishesNothing } from '../storage/tree/changes.ts';
import { CommandError, createCommand, createGroup, withFoundation } from './shared/cli.ts';
import { print, printList } from './shared/output.ts';

const LISTED = 1_000;

/** `posthouse link …`: links to folders and to chosen files, of all workspaces. */
export function defineCommand(about: string) {
  return createGroup('link', about, [listCommand(), revokeCommand()]);
}

function listCommand() {
  const command = createCommand('list', `list the newest links of all workspaces, ${LISTED} at most`)
    .option('--workspace <name>', 'list only the links of this workspace (name or id)')
    .action(({ workspace = null }) =>
      withFoundation(command, async (foundation, config) => {
        const found = await newestLinks(foundation.database, workspace, LISTED);
        if (!found)
          throw new CommandError(
            `There is no workspace named “${workspace}”. “posthouse workspace list” lists the shared ones.`,
            'not_found',
          );
        const { accounts } = openIdentityStores(foundation, config);
        const creators = await accounts.byIds([...new Set(found.map(({ createdBy }) => createdBy ?? ''))]);
        const emails = new Map(creators.map(({ id, email }) => [id, email]));
        const links = found.map((link) => factsOf(link, emails.get(link.createdBy ?? '') ?? null));
        const rows = links.map(({ id, workspace, name, access, createdBy, expiresAt }) => [
          id,
          workspace,
          name,
          access,
          createdBy ?? 'unknown',
          expiresAt === null ? '' : `until ${expiresAt.slice(0, 10)}`,
        ]);
        printList(command, { links }, rows, 'There are no links.');
      }),
    );
  return command;
}

/** Returns the printed facts of a link. Its address is not among them, since it opens the link. */
function factsOf(link: AnyLink, createdBy: string | null) {
  const { id, workspaceName: workspace, access, downloadCount, uploadCount } = link;
  return {
    id,
    workspace,
    name: link.folderId === null ? `${link.fileCount} chosen files` : (link.folderName ?? 'a deleted folder'),
    access,
    createdBy,
    dateCreated: isoTime(link.dateCreated),
    expiresAt: link.expiresAt === null ? null : isoTime(link.expiresAt),
    downloadCount,
    uploadCount,
  };
}

function revokeCommand() {
  const command = createCommand('revoke', 'delete a link, so that its address no longer works')
    .option('--id <id>', 'id of the link, as listed')
    .option('--url <address>', 'address of the link')
    .action((options) =>
      withFoundation(command, async ({ database, clock }) => {
        const attempts = createAttempts({ database });
        const links = createLinks({
          database,
          clock,
          secretsChanged: (trx, linkId) => attempts.clearAll(trx, attemptScope('link', linkId)),
          changed: publishesNothing,
        });
        const link = await linkWith(database.read, namedBy(options));
        if (!link) throw new CommandError('There is no such link.', 'not_found');
        await inBatches(database, (trx) => links.remove(trx, link));
        print(command, { id: link.id }, 'The link is revoked.');
      }),
    );
  return command;
}

function namedBy({ id, url }: { id?: string; url?: string }): { id: string } | { token: string } {
  if ((id === undefined) === (url === undefined))
    throw new CommandError('Exactly one of --id and --url is required.');
  if (id !== undefined) {
    if (!isId(id.toLowerCase()))
      throw new CommandError('--id must be an id listed by “posthouse link list”.');
    return { id: id.toLowerCase() };
  }
  const token = /\/public\/folder\/([\w-]+)/.exec(url ?? '')?.[1];
  if (token === undefined)
    throw new CommandError('--url must be the address of a link to a folder or files.');
  return { token };
}
