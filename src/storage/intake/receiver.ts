import type { Database, Transaction } from '../../kernel/database/database.ts';
import { Problem } from '../../kernel/problem.ts';
import type { StoredContent, StoredFile } from '../tree/files/file.ts';
import { createWorkspaceTurns } from '../tree/lock.ts';
import type { Quota, Reservation } from '../tree/quota.ts';
import type { RequireRoom } from '../tree/room.ts';
import { createBeginUnsized, type UnsizedUpload } from './arriving.ts';
import { type Credit, createTakeCredit, usedBytes } from './credits.ts';
import type { Ingest, Intake } from './ingest.ts';
import { createLateIntake } from './late-intake.ts';
import type { TypeHint } from './media-type.ts';

/** The target of an upload and its expected size. */
export interface Incoming {
  workspaceId: string;
  /** Size of the file to replace, which becomes free. A function is called once the first bytes arrive. */
  freedBytes: number | (() => Promise<number>);
  /** Size of the request's body, framing included; null = unknown. */
  bodyBytes: number | null;
  /** An existing reservation; undefined = none. */
  reservationId?: string;
}

/** Creates a file from the received bytes. */
export interface Completion {
  hint: TypeHint;
  /** Writes the row of the file. */
  commit(trx: Transaction, content: StoredContent, reservationId: string | null): Promise<StoredFile>;
}

export interface Receiver {
  /**
   * Receives one file: reserves its space, stores its bytes and commits its row. A failure leaves nothing behind.
   * @param read passes the bytes to the intake
   * @throws Problem 413 `file_too_large`, 507 `quota_exceeded` or `storage_full`, early if the length is known; 503
   *   `unavailable`; errors of `read` and `commit`
   */
  receive(incoming: Incoming, read: (intake: Intake) => Promise<Completion>): Promise<StoredFile>;
}

/** The space of an upload under way. */
interface Held {
  reservation: Reservation | null;
  unsized: UnsizedUpload | null;
  credit: Credit | null;
}

/** Maximum bytes of a body that are framing: delimiters, headers, other fields. */
const FRAMING_BYTES = 65_536;

export function createReceiver({
  database,
  ingest,
  quota,
  requireRoom,
}: {
  database: Database;
  ingest: Ingest;
  quota: Quota;
  requireRoom: RequireRoom;
}): Receiver {
  const beginUnsized = createBeginUnsized(quota.freeBytes);
  const inTurn = createWorkspaceTurns(database);
  const takeCredit = createTakeCredit((workspaceId) => usedBytes(database.read, workspaceId));
  return {
    async receive({ workspaceId, freedBytes, bodyBytes, reservationId }, read) {
      const atLeast = Math.max(0, (bodyBytes ?? 0) - FRAMING_BYTES);
      ingest.requireSize(atLeast);
      const held: Held = { reservation: null, unsized: null, credit: null };
      async function begin(freed: number): Promise<Intake> {
        if (reservationId === undefined) {
          const useful = bodyBytes === null ? freed : Math.min(freed, atLeast);
          held.credit = await takeCredit(workspaceId, useful);
          const bytes = atLeast - held.credit.bytes;
          held.reservation = await inTurn(workspaceId, () => quota.reserve(workspaceId, bytes));
        }
        await requireRoom(workspaceId, atLeast);
        // A known length was checked above and is charged with the commit; only an unknown one is checked
        // while the bytes arrive.
        if (bodyBytes === null) held.unsized = beginUnsized(workspaceId, held.credit?.bytes ?? 0);
        return ingest.begin(atLeast, held.unsized?.take);
      }
      let isSpent = false;
      try {
        const intake =
          typeof freedBytes === 'number'
            ? await begin(freedBytes)
            : createLateIntake(async () => begin(await freedBytes()));
        const [completion, content] = await takeIn(intake, read);
        held.unsized?.end();
        const reserved = held.reservation?.id ?? reservationId ?? null;
        const commit = (trx: Transaction) => completion.commit(trx, content, reserved);
        const file = await commitOrAbort(intake, () =>
          inTurn(workspaceId, () => database.transaction(commit)),
        );
        isSpent = true;
        return file;
      } finally {
        held.unsized?.end();
        held.credit?.end();
        if (isSpent) held.reservation?.spent();
        else await held.reservation?.release();
      }
    },
  };
}

async function takeIn(
  intake: Intake,
  read: (intake: Intake) => Promise<Completion>,
): Promise<[Completion, StoredContent]> {
  try {
    const completion = await read(intake);
    return [completion, await intake.finish(completion.hint)];
  } catch (error) {
    await intake.abort();
    throw error;
  }
}

/**
 * After an error other than a refusal, the row may be committed: the blob stays, and the sweeper deletes it if no row
 * references it.
 */
async function commitOrAbort(intake: Intake, commit: () => Promise<StoredFile>): Promise<StoredFile> {
  try {
    return await commit();
  } catch (error) {
    if (error instanceof Problem) await intake.abort();
    throw error;
  }
}
