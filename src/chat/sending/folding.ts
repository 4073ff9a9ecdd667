import { type Selectable, sql } from 'kysely';
import { type Clock, DAY, MINUTE, SECOND } from '../../kernel/clock.ts';
import { digestOf } from '../../kernel/crypto/digest.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { createJsonTable } from '../../kernel/database/json-table.ts';
import { prepareInsert } from '../../kernel/database/prepare-insert.ts';
import { isOneOf } from '../../kernel/database/unlocked.ts';
import { WHERE_TRUE } from '../../kernel/database/where-true.ts';
import { newIdAt } from '../../kernel/ids.ts';
import type { NewMessage } from '../../kernel/outbox/message.ts';
import type { Outbox } from '../../kernel/outbox/outbox.ts';
import type { ChatFoldsTable } from '../tables.ts';

export const CHAT_EDIT = 'chat-edit';

/** Time after a message during which repeats fold into it. */
const WINDOW_MS = MINUTE;
/** How long an edit waits to collect more repeats; the count must be visible within two seconds. */
const GATHER_MS = SECOND;
/** Time after the window for which a count is kept, for its last edit. */
const KEPT_MS = 10 * MINUTE;
/** Longer than an edit waits. One that ends undelivered, such as that of a deleted channel, leaves `edit_waits` set. */
const EDIT_MS = 2 * DAY;
/** Characters of a digest in base64url that are kept: 132 bits. */
const KEY_LENGTH = 22;

/** The outbox payload of an edit that shows a count. */
export interface EditPayload {
  /** Id of the first message. */
  messageId: string;
  channelId: string;
}

/** A message that is a repeat, or may open a fold. */
export interface Candidate {
  messageId: string;
  channelId: string;
  foldKey: string;
  sandbox: boolean;
}

/** The fold that took a repeat. */
export interface Folded {
  /** Id of the first message. */
  into: string;
  /** Number of times the message was sent, the first time and this one included. */
  count: number;
}

/** Counts repeats of a message in the first one. */
export interface Folding {
  /**
   * Decides in order which of `candidates` are repeats; returns their folds by message id. The others become first
   * messages if `admit` returns true, and leave no trace if not. Call `outbox.wake(CHAT_EDIT)` after the commit.
   */
  fold(
    trx: Transaction,
    candidates: readonly Candidate[],
    admit: (candidate: Candidate) => boolean,
  ): Promise<Map<string, Folded>>;
  /** Returns the count to show, after which repeats schedule another edit; null = the fold has expired. */
  takeCount(messageId: string): Promise<number | null>;
  /** Deletes expired folds. */
  sweep(): Promise<void>;
}

/** Returns the same key for repeats of a message: same channel, and same key or same title and text. */
export function foldKeyOf(
  channelId: string,
  message: { dedupeKey?: string; title: string; message: string },
): string {
  const same =
    message.dedupeKey === undefined ? ['text', message.title, message.message] : ['key', message.dedupeKey];
  return digestOf(JSON.stringify([channelId, ...same])).slice(0, KEY_LENGTH);
}

const NEW_FOLD = {
  message_id: 'text',
  fold_key: 'text',
  channel_id: 'text',
  count: 'bigint',
  window_ends_at: 'bigint',
  edit_waits: 'bigint',
} as const;

interface FoldingDeps {
  database: Database;
  outbox: Outbox;
  clock: Clock;
}

export function createFolding(deps: FoldingDeps): Folding {
  const { database, outbox, clock } = deps;
  const openFolds = createOpenFolds(deps);
  const openNew = createOpenNew(deps);
  return {
    async fold(trx, candidates, admit) {
      if (candidates.length === 0) return new Map();
      const keys = [...new Set(candidates.map(({ foldKey }) => foldKey))];
      const open = new Set(await openFolds(trx, keys));
      const { firsts, repeats } = divide(candidates, open, admit);
      repeats.push(...(await openNew(trx, firsts)));
      const folded = new Map<string, Folded>();
      const edits: NewMessage[] = [];
      // All nodes lock the rows in the same order, which prevents deadlocks.
      const groups = [...Map.groupBy(repeats, ({ foldKey }) => foldKey)].sort(([a], [b]) => (a < b ? -1 : 1));
      for (const [key, group] of groups) {
        const counted = await countRepeats(trx, clock, key, group);
        for (const [id, each] of counted.folded) folded.set(id, each);
        edits.push(...counted.edits);
      }
      // At once, so that their lanes are locked in one order too.
      await outbox.add(trx, edits);
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
          .where((where) =>
            where.or([where('edit_waits', '=', 0), where('window_ends_at', '<', now - EDIT_MS)]),
          )
          .execute(),
      );
    },
  };
}

/** Divides candidates into first messages that `admit` accepts, and repeats of an open fold or an earlier candidate. */
function divide(
  candidates: readonly Candidate[],
  openKeys: ReadonlySet<string>,
  admit: (candidate: Candidate) => boolean,
): { firsts: Candidate[]; repeats: Candidate[] } {
  const open = new Set(openKeys);
  const firsts: Candidate[] = [];
  const repeats: Candidate[] = [];
  for (const candidate of candidates) {
    if (open.has(candidate.foldKey)) repeats.push(candidate);
    else if (admit(candidate)) {
      open.add(candidate.foldKey);
      firsts.push(candidate);
    }
  }
  return { firsts, repeats };
}

/** Returns a function that returns the keys with an open fold. It frees the keys of folds that expired or failed. */
function createOpenFolds({ database, clock }: FoldingDeps) {
  const table = createJsonTable(database.kind, 'wanted', { fold_key: 'text' });
  // The rows stay locked, so that no other node frees a fold to which this one adds repeats, and in one order.
  const lock = database.kind === 'postgres' ? sql`order by fold_key for update` : sql``;
  const find = database.prepare(
    (_: Transaction, { wanted }: { wanted: string }) => sql<Selectable<ChatFoldsTable>>`
      select * from chat_folds
      where fold_key ${isOneOf(database.kind, sql`select fold_key from ${table.over(wanted)}`)} ${lock}`,
  );
  return async (trx: Transaction, keys: readonly string[]): Promise<string[]> => {
    const rows = await find(trx, { wanted: table.encode(keys.map((fold_key) => ({ fold_key }))) });
    if (rows.length === 0) return [];
    const ids = rows.map((row) => row.message_id);
    const lost = await trx
      .selectFrom('outbox')
      .select('message_id')
      .where('message_id', 'in', ids)
      .where('status', 'in', ['failed', 'cancelled'])
      .execute();
    const now = clock.now();
    const over = rows.filter(
      (row) => row.window_ends_at <= now || lost.some(({ message_id }) => message_id === row.message_id),
    );
    const keysOver = over.map((row) => row.fold_key);
    if (keysOver.length > 0) await freeKeys(trx, keysOver);
    return rows.map((row) => row.fold_key).filter((key) => !keysOver.includes(key));
  };
}

async function freeKeys(trx: Transaction, keys: readonly string[]): Promise<void> {
  await trx.deleteFrom('chat_folds').where('fold_key', 'in', keys).where('count', '=', 1).execute();
  // An edit may still be pending for the others.
  await trx
    .updateTable('chat_folds')
    .set((set) => ({ fold_key: set.ref('message_id') }))
    .where('fold_key', 'in', keys)
    .execute();
}

/** Returns a function that opens folds, and returns the candidates whose fold another node opened first. */
function createOpenNew({ database, clock }: FoldingDeps) {
  const names = Object.keys(NEW_FOLD) as (keyof typeof NEW_FOLD)[];
  const insert = prepareInsert(
    database,
    NEW_FOLD,
    ({ value, from }) => sql<{ message_id: string }>`
      insert into chat_folds (${sql.join(names.map((name) => sql.ref(name)))})
      select ${sql.join(names.map(value))} ${from} ${WHERE_TRUE}
      on conflict (fold_key) do nothing returning message_id`,
  );
  return async (trx: Transaction, firsts: readonly Candidate[]): Promise<readonly Candidate[]> => {
    if (firsts.length === 0) return [];
    const window_ends_at = clock.now() + WINDOW_MS;
    const rows = firsts.map(({ messageId, channelId, foldKey }) => ({
      message_id: messageId,
      fold_key: foldKey,
      channel_id: channelId,
      count: 1,
      window_ends_at,
      edit_waits: 0,
    }));
    const opened = await insert(trx, rows);
    if (opened.length === firsts.length) return [];
    const own = new Set(opened.map((row) => row.message_id));
    return firsts.filter(({ messageId }) => !own.has(messageId));
  };
}

/** Adds `repeats` to the count of their fold; returns also the edit to schedule unless one is pending. */
async function countRepeats(
  trx: Transaction,
  clock: Clock,
  foldKey: string,
  repeats: readonly Candidate[],
): Promise<{ folded: Map<string, Folded>; edits: NewMessage[] }> {
  const [first] = repeats;
  const row = await trx
    .updateTable('chat_folds')
    .set((set) => ({ count: set('count', '+', repeats.length) }))
    .where('fold_key', '=', foldKey)
    .returning(['message_id', 'count', 'edit_waits'])
    .executeTakeFirstOrThrow();
  const into = row.message_id;
  const edits: NewMessage[] = [];
  if (row.edit_waits === 0 && first) {
    await trx.updateTable('chat_folds').set({ edit_waits: 1 }).where('fold_key', '=', foldKey).execute();
    edits.push(editOf(into, first, newIdAt(clock.now())));
  }
  const before = row.count - repeats.length;
  const folded = repeats.map(
    ({ messageId }, index) => [messageId, { into, count: before + index + 1 }] as const,
  );
  return { folded: new Map(folded), edits };
}

/** Returns the outbox row of an edit of the message `into`. */
function editOf(into: string, { channelId, sandbox }: Candidate, id: string): NewMessage {
  const payload: EditPayload = { messageId: into, channelId };
  return {
    id,
    messageId: id,
    part: 0,
    kind: CHAT_EDIT,
    clientId: null,
    // One edit of a message at a time, so that an earlier count cannot arrive after a later one.
    lane: `${CHAT_EDIT}:${into}`,
    payload,
    delayMs: GATHER_MS,
    sandbox,
  };
}
