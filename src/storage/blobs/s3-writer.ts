import { MB } from '../../kernel/bytes.ts';
import { SECOND } from '../../kernel/clock.ts';
import { Unavailable } from '../../kernel/errors/unavailable.ts';
import type { PartMemory } from './part-memory.ts';
import type { BlobWriter } from './port.ts';
import type { S3Client } from './s3-client.ts';
import { createMultipart } from './s3-multipart.ts';
import { deleteObject, HEADERS, put } from './s3-requests.ts';

/** S3 accepts at most 10,000 parts, each of 5 MiB or more. */
const PART = 8 * MB;
/** Maximum number of parts that an upload holds: all of them are being sent, or all but the one that is received. */
const MAX_PARTS = 3;
/** The same where other uploads need the memory. */
const MIN_PARTS = 2;
/** Maximum number of attempts to clean up; the sweeper deletes the rest. */
const CLEANUP_ATTEMPTS = 8;
const CLEANUP_PAUSE_MS = SECOND;

/**
 * Writes an object: in one request, or in parts when it is larger than one. Parts are sent while the next is received.
 * The object is visible when it is complete.
 * @param memory bounds the bytes that all writers of the store hold
 */
export function createObjectWriter(send: S3Client, path: string, memory: PartMemory): BlobWriter {
  const upload = createMultipart(send, path);
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let part = memory.open(giveUp);
  /** The parts that are being sent; each is removed when it is sent or has failed. */
  const sending = new Set<Promise<void>>();
  let failure: unknown;
  /** True once the commit has begun: the object may exist even if no response arrived. */
  let mayExist = false;
  let ended = false;

  function giveUp(reason: unknown): void {
    failure ??= reason;
    held = [];
  }

  function hold(bytes: Uint8Array): Promise<void> | undefined {
    held.push(bytes);
    heldBytes += bytes.byteLength;
    return heldBytes < PART ? undefined : sendPart();
  }

  function sendPart(): Promise<void> {
    const [chunks, full] = [held, part];
    full.seal();
    held = [];
    heldBytes = 0;
    part = memory.open(giveUp);
    const sent = upload
      .add(chunks)
      .catch(giveUp)
      .finally(() => {
        full.release();
        sending.delete(sent);
      });
    sending.add(sent);
    return sendingFewerThan(() => (memory.hasSpare(PART) ? MAX_PARTS : MIN_PARTS));
  }

  /** Waits until fewer parts are being sent. @throws the first failure */
  async function sendingFewerThan(count: () => number): Promise<void> {
    while (failure === undefined && sending.size >= count()) await Promise.race(sending);
    if (failure !== undefined) throw failure;
  }

  async function finish(): Promise<void> {
    part.seal();
    if (!upload.hasParts()) {
      await put(send, { path, headers: HEADERS, body: held });
      return;
    }
    if (heldBytes > 0) await sendPart();
    await sendingFewerThan(() => 1);
    await upload.complete();
  }

  async function cleanUp(): Promise<void> {
    await Promise.all(sending);
    await upload.abort();
    if (mayExist) await deleteObject(send, path);
  }

  return {
    write(bytes) {
      if (failure !== undefined) throw failure;
      const admitted = part.add(bytes.byteLength);
      return admitted ? admitted.then(() => hold(bytes)) : hold(bytes);
    },
    async commit() {
      if (failure !== undefined) throw failure;
      mayExist = true;
      try {
        await finish();
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        part.release();
      }
      ended = true;
    },
    async abort() {
      if (ended) return;
      ended = true;
      held = [];
      part.release();
      // The caller does not wait for a server that did not respond.
      if (failure instanceof Unavailable) void retry(cleanUp);
      else await cleanUp();
    },
  };
}

async function retry(work: () => Promise<void>): Promise<void> {
  for (let count = 0; count < CLEANUP_ATTEMPTS; count++) {
    try {
      return await work();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, CLEANUP_PAUSE_MS * 2 ** count).unref());
    }
  }
}
