import { sql } from 'kysely';
import type { Database } from '../../kernel/database/database.ts';
import { after } from '../../kernel/database/now.ts';
import type { Log } from '../../kernel/log.ts';
import type { Mailer } from '../../kernel/mailer.ts';
import { shownName } from '../../text/shown-name.ts';
import type { Account, Accounts } from '../teams/accounts.ts';
import { GATHER_MS } from './uploads.ts';

interface NoticesDeps {
  database: Database;
  log: Log;
  accounts: Accounts;
  /** Null = no e-mail can be sent. */
  mailer: Pick<Mailer, 'send'>;
  publicUrl: string;
}

const AT_ONCE = 100;
const NAMES_SHOWN = 10;

/**
 * Returns a task that notifies the creators of links of received files, ten minutes after the first one. A removed
 * or disabled member gets no e-mail.
 */
export function createLinkNotices(deps: NoticesDeps): () => Promise<void> {
  const { database, accounts } = deps;
  return async () => {
    const due = await dueLinks(database);
    const creators = await accounts.byIds([...new Set(due.map(({ creator }) => creator ?? ''))]);
    const byId = new Map(
      creators.filter(({ disabled }) => !disabled).map((account) => [account.id, account]),
    );
    for (const link of due) {
      const creator = byId.get(link.creator ?? '');
      if (creator) await send(deps, link, creator);
      await markNoticed(database, link);
    }
  };
}

type DueLink = Awaited<ReturnType<typeof dueLinks>>[number];

/** Returns the links with a notice to send; `creator` is null unless that person is still a member. */
async function dueLinks({ read, now }: Database) {
  return await read
    .selectFrom('links')
    .leftJoin('folders', 'folders.id', 'links.folder_id')
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.workspace_id', '=', 'links.workspace_id')
        .onRef('memberships.account_id', '=', 'links.created_by'),
    )
    .select(['links.id', 'links.title', 'links.folder_id', 'links.upload_count', 'links.noticed_uploads'])
    .select(['folders.name', 'memberships.account_id as creator'])
    .select(sql<number>`links.notice_at`.as('noticeAt'))
    .where('links.notice_at', '<=', now)
    .orderBy('links.notice_at')
    .limit(AT_ONCE)
    .execute();
}

async function send(
  { database, log, mailer, publicUrl }: NoticesDeps,
  link: DueLink,
  { email, name, mailLanguage }: Account,
): Promise<void> {
  const count = link.upload_count - link.noticed_uploads;
  const files = await newFiles(database, link);
  const data = {
    product: 'Posthouse',
    site: new URL(publicUrl).host,
    name,
    count,
    link: shownName(link.title ?? link.name ?? 'a link'),
    files,
    more: Math.max(0, count - files.length),
    url: `${publicUrl}/files/${link.folder_id}`,
  };
  const key = `${link.id} ${link.noticeAt}`;
  const result = await mailer?.send(
    { to: email, template: 'link-files', language: mailLanguage ?? 'en', data, key },
    false,
  );
  if (result?.status === 'failed')
    log.warn(
      { linkId: link.id, reason: result.reason },
      'the creator of a link was not notified of new files by e-mail',
    );
}

/** Returns the first new files of visitors in the folder of a link, except those that were moved or deleted since. */
async function newFiles({ read }: Database, { folder_id, noticeAt }: DueLink) {
  const rows = await read
    .selectFrom('files')
    .select(['original_name', 'sender'])
    .where('folder_id', '=', folder_id ?? '')
    .where('deleted_at', 'is', null)
    .where('created_by', 'is', null)
    .where('date_created', '>=', noticeAt - GATHER_MS)
    .orderBy('date_created')
    .orderBy('id')
    .limit(NAMES_SHOWN)
    .execute();
  return rows.map(({ original_name, sender }) => ({
    name: shownName(original_name),
    sender: sender === null ? null : shownName(sender),
  }));
}

/** Files that arrived after the link was read begin another notice. */
async function markNoticed(database: Database, { id, noticeAt, upload_count }: DueLink): Promise<void> {
  await database.transaction(async (trx) => {
    await trx
      .updateTable('links')
      .set({
        noticed_uploads: upload_count,
        notice_at: sql<number | null>`case when upload_count > ${upload_count}
          then ${after(database, GATHER_MS)} end`,
      })
      .where('id', '=', id)
      .where('notice_at', '=', noticeAt)
      .execute();
  });
}
