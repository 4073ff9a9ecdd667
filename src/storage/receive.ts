import type { Database, Transaction } from '../kernel/database/database.ts';
import { Problem } from '../kernel/http/problem.ts';
import type { Content, StoredFile } from './file.ts';
import type { Ingest, Intake } from './ingest.ts';
import type { TypeHint } from './media-type.ts';
import type { Quota } from './quota.ts';

/** Where an upload goes and how much may come. */
export interface Incoming {
  workspaceId: string;
  /** What the bytes take the place of, so that as many are free besides. */
  freedBytes: number;
  /** What the request's body has, framing included; null = not known. */
  bodyBytes: number | null;
  /** What holds the space already; undefined = nothing does. */
  reservationId?: string;
}

/** What is to be done once all bytes are there. */
export interface Arrival {
  hint: TypeHint;
  /** Writes the row, in the transaction that makes the file a file. */
  commit(trx: Transaction, content: Content, reservationId: string | null): Promise<StoredFile>;
}

export interface Receiver {
  /**
   * Brings one file in: space, bytes, row. Whatever fails, nothing stays behind.
   * @param read passes the bytes to the intake
   * @throws Problem 413 `file_too_large`, 507 `quota_exceeded`, early where the length leaves no doubt; what `read` and `commit` throw
   */
  receive(incoming: Incoming, read: (intake: Intake) => Promise<Arrival>): Promise<StoredFile>;
}

/** How much of a body may be framing: delimiters, heads, other fields. */
const FRAMING_BYTES = 65_536;

export function createReceiver({ database, ingest, quota }: { database: Database; ingest: Ingest; quota: Quota }): Receiver {
  return {
    async receive({ workspaceId, freedBytes, bodyBytes, reservationId }, read) {
      const atLeast = Math.max(0, (bodyBytes ?? 0) - FRAMING_BYTES);
      ingest.requireSize(atLeast);
      const freeBytes = async () => freedBytes + (await quota.freeBytes(workspaceId));
      const reservation = reservationId === undefined ? await quota.reserve(workspaceId, Math.max(0, atLeast - freedBytes)) : null;
      let isSpent = false;
      try {
        // A length that is known is judged here, beforehand, and with the commit; only one that is not has to be watched.
        const intake = ingest.begin(atLeast, freeBytes, bodyBytes === null ? await freeBytes() : Number.POSITIVE_INFINITY);
        const [arrival, content] = await takeIn(intake, read);
        const file = await commitOrAbort(intake, () =>
          database.transaction((trx) => arrival.commit(trx, content, reservation?.id ?? reservationId ?? null)),
        );
        isSpent = true;
        return file;
      } finally {
        if (isSpent) reservation?.spent();
        else await reservation?.release();
      }
    },
  };
}

async function takeIn(intake: Intake, read: (intake: Intake) => Promise<Arrival>): Promise<[Arrival, Content]> {
  try {
    const arrival = await read(intake);
    return [arrival, await intake.finish(arrival.hint)];
  } catch (error) {
    await intake.abort();
    throw error;
  }
}

/** After any error but a refusal the row may be committed all the same: then the blob must stay, and the sweeper decides. */
async function commitOrAbort(intake: Intake, commit: () => Promise<StoredFile>): Promise<StoredFile> {
  try {
    return await commit();
  } catch (error) {
    if (error instanceof Problem) await intake.abort();
    throw error;
  }
}
