import { type Selectable, sql } from 'kysely';
import { type Clock, MINUTE, SECOND } from '../kernel/clock.ts';
import { hashToken } from '../kernel/crypto/vault.ts';
import type { Database, Transaction } from '../kernel/database/database.ts';
import { listed } from '../kernel/database/listed.ts';
import { newId } from '../kernel/ids.ts';
import type { Outbox } from '../kernel/outbox/outbox.ts';
import type { ChatFoldsTable } from './tables.ts';

export const CHAT_EDIT = 'chat-edit';

/** Repeats within this time of the first fold into it. */
const WINDOW_MS = MINUTE;
/** So long an edit waits for more repeats to show with it; the count must be seen within two seconds. */
const GATHER_MS = SECOND;
const KEPT_MS = 10 * MINUTE;
/** Of a digest in base64url: 132 bits. */
const KEY_LENGTH = 22;

/** An edit that shows a count, in the outbox. */
export interface EditPayload {
  /** The first message, and our id of its channel. */
  messageId: string;
  channelId: string;
}

/** A message that may be a repeat. */
export interface Candidate {
  messageId: string;
  channelId: string;
  foldKey: string;
  sandbox: boolean;
}

/** What a repeat folded into. */
export interface Folded {
  into: string;
  /** How often the message came, the first time and this one included. */
  count: number;
}

/** Folds repeats of a message into the first. */
export interface Folding {
  /**
   * Decides which of `candidates` are repeats, in order; gives what those fold into, by their id. The others are first
   * ones if `admit` lets them; those that it refuses leave no trace. Call `outbox.wake(CHAT_EDIT)` after the commit.
   */
  fold(trx: Transaction, candidates: readonly Candidate[], admit: (candidate: Candidate) => boolean): Promise<Map<string, Folded>>;
  /** The count to show now; repeats that come later will ask for an edit of their own. Null = nothing is known of it. */
  takeCount(messageId: string): Promise<number | null>;
  sweep(): Promise<void>;
}

/** The same for messages that are repeats of each other: same channel, and same key or same title and text. */
export function foldKeyOf(channelId: string, message: { dedupeKey?: string; title: string; message: string }): string {
  const same = message.dedupeKey === undefined ? ['text', message.title, message.message] : ['key', message.dedupeKey];
  return hashToken(JSON.stringify([channelId, ...same])).slice(0, KEY_LENGTH);
}

const NEW_FOLD = {
  message_id: 'text',
  fold_key: 'text',
  channel_id: 'text',
  count: 'bigint',
  window_ends_at: 'bigint',
  edit_waits: 'bigint',
} as const;

export function createFolding({ database, outbox, clock }: { database: Database; outbox: Outbox; clock: Clock }): Folding {
  /** The folds that are open for these keys; those that are over make room. */
  async function openFolds(trx: Transaction, keys: readonly string[]): Promise<string[]> {
    const asked = listed(
      database.kind,
      'asked',
      { fold_key: 'text' },
      keys.map((fold_key) => ({ fold_key })),
    );
    const { rows } = await sql<Selectable<ChatFoldsTable>>`
      select chat_folds.* from ${asked} join chat_folds on chat_folds.fold_key = asked.fold_key`.execute(trx);
    if (rows.length === 0) return [];
    const lost = await trx
      .selectFrom('outbox')
      .select('message_id')
      .where(
        'message_id',
        'in',
        rows.map((row) => row.message_id),
      )
      .where('status', 'in', ['failed', 'cancelled'])
      .execute();
    const now = clock.now();
    const over = rows.filter((row) => row.window_ends_at <= now || lost.some(({ message_id }) => message_id === row.message_id));
    const keysOver = over.map((row) => row.fold_key);
    if (keysOver.length > 0) {
      await trx.deleteFrom('chat_folds').where('fold_key', 'in', keysOver).where('count', '=', 1).execute();
      // An edit may still have to show the count of these.
      await trx
        .updateTable('chat_folds')
        .set((set) => ({ fold_key: set.ref('message_id') }))
        .where('fold_key', 'in', keysOver)
        .execute();
    }
    return rows.map((row) => row.fold_key).filter((key) => !keysOver.includes(key));
  }

  /** Opens folds for first messages; gives those for which another node was quicker. */
  async function openNew(trx: Transaction, firsts: readonly Candidate[]): Promise<Candidate[]> {
    if (firsts.length === 0) return [];
    const rows = firsts.map(({ messageId, channelId, foldKey }) => ({
      message_id: messageId,
      fold_key: foldKey,
      channel_id: channelId,
      count: 1,
      window_ends_at: clock.now() + WINDOW_MS,
      edit_waits: 0,
    }));
    const names = sql.join(Object.keys(NEW_FOLD).map((name) => sql.ref(name)));
    // “where true” keeps SQLite from reading “on conflict” as a join's condition (https://www.sqlite.org/lang_upsert.html).
    const { rows: opened } = await sql<{ message_id: string }>`
      insert into chat_folds (${names}) select ${names} from ${listed(database.kind, 'first', NEW_FOLD, rows)} where true
      on conflict (fold_key) do nothing returning message_id`.execute(trx);
    if (opened.length === firsts.length) return [];
    const own = new Set(opened.map((row) => row.message_id));
    return firsts.filter(({ messageId }) => !own.has(messageId));
  }

  async function count(trx: Transaction, foldKey: string, repeats: readonly Candidate[]): Promise<Map<string, Folded>> {
    const [first] = repeats;
    const row = await trx
      .updateTable('chat_folds')
      .set((set) => ({ count: set('count', '+', repeats.length) }))
      .where('fold_key', '=', foldKey)
      .returning(['message_id', 'count', 'edit_waits'])
      .executeTakeFirstOrThrow();
    const into = row.message_id;
    if (row.edit_waits === 0 && first) {
      await trx.updateTable('chat_folds').set({ edit_waits: 1 }).where('fold_key', '=', foldKey).execute();
      const id = newId();
      const payload: EditPayload = { messageId: into, channelId: first.channelId };
      await outbox.add(trx, [
        {
          id,
          messageId: id,
          part: 0,
          kind: CHAT_EDIT,
          clientId: null,
          lane: null,
          payload,
          notBefore: clock.now() + GATHER_MS,
          sandbox: first.sandbox,
        },
      ]);
    }
    return new Map(repeats.map(({ messageId }, index) => [messageId, { into, count: row.count - repeats.length + index + 1 }]));
  }

  return {
    async fold(trx, candidates, admit) {
      if (candidates.length === 0) return new Map();
      const keys = [...new Set(candidates.map(({ foldKey }) => foldKey))];
      const open = new Set(await openFolds(trx, keys));
      const firsts: Candidate[] = [];
      const repeats: Candidate[] = [];
      for (const candidate of candidates) {
        if (open.has(candidate.foldKey)) repeats.push(candidate);
        else if (admit(candidate)) {
          open.add(candidate.foldKey);
          firsts.push(candidate);
        }
      }
      repeats.push(...(await openNew(trx, firsts)));
      const folded = new Map<string, Folded>();
      // In one order everywhere, so that two nodes never wait for each other.
      const groups = [...Map.groupBy(repeats, ({ foldKey }) => foldKey)].sort(([a], [b]) => (a < b ? -1 : 1));
      for (const [key, group] of groups) for (const [id, each] of await count(trx, key, group)) folded.set(id, each);
      return folded;
    },

    takeCount(messageId) {
      return database.transaction(async (trx) => {
        const row = await trx
          .updateTable('chat_folds')
          .set({ edit_waits: 0 })
          .where('message_id', '=', messageId)
          .where('count', '>', sql.lit(1))
          .returning('count')
          .executeTakeFirst();
        return row?.count ?? null;
      });
    },

    async sweep() {
      const now = clock.now();
      await database.transaction((trx) =>
        trx
          .deleteFrom('chat_folds')
          .where('window_ends_at', '<', now)
          .where((where) => where.or([where('count', '=', 1), where('window_ends_at', '<', now - KEPT_MS)]))
          .where('edit_waits', '=', 0)
          .execute(),
      );
    },
  };
}
