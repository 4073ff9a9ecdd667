import type { PartHead } from '../../../kernel/http/bodies/multipart-fields.ts';
import type { Intake } from '../../intake/ingest.ts';
import type { PartSink } from '../multipart/multipart.ts';

/** Passes the bytes of one part to an intake; resolves at the end of the part. */
export type ReadPart = (intake: Intake) => Promise<void>;

/** Receives one file; returns a result even if the file is refused. */
export type ReceivePart<Result> = (head: PartHead, read: ReadPart) => Promise<Result>;

type Event = { head: PartHead } | { bytes: Uint8Array } | 'end';

/** Receives the files of a form one after the other, independently of each other. */
export interface SentFiles<Result> {
  file(head: PartHead): PartSink;
  /** Waits until all bytes so far are received. */
  settled(): Promise<void>;
  /**
   * Ends the file in progress with an error of the body, and returns its result, which may have an earlier cause;
   * undefined = no file is in progress.
   * @throws the error of the receiver, if it returns no result
   */
  abort(error: unknown): Promise<Result | undefined>;
  readonly results: readonly Result[];
}

export function createSentFiles<Result>(receive: ReceivePart<Result>): SentFiles<Result> {
  const results: Result[] = [];
  let events: Event[] = [];
  let current: ReturnType<typeof startPart<Result>> | undefined;

  return {
    results,
    file(head) {
      events.push({ head });
      return {
        write: (bytes) => void events.push({ bytes }),
        end: () => void events.push('end'),
      };
    },
    async settled() {
      const arrived = events;
      events = [];
      for (const event of arrived) {
        if (event === 'end') {
          if (current) results.push(await current.end());
          current = undefined;
        } else if ('head' in event) current = startPart(receive, event.head);
        else await current?.write(event.bytes);
      }
    },
    async abort(error) {
      if (!current) return undefined;
      const result = await current.abort(error);
      results.push(result);
      return result;
    },
  };
}

function startPart<Result>(receive: ReceivePart<Result>, head: PartHead) {
  const opened = Promise.withResolvers<Intake | null>();
  const read = Promise.withResolvers<void>();
  // Without a listener, an error before the intake is opened would be an unhandled rejection.
  read.promise.catch(() => {});
  const result = receive(head, (intake) => {
    opened.resolve(intake);
    return read.promise;
  }).finally(() => opened.resolve(null));
  result.catch(() => {});
  let isRefused = false;
  return {
    async write(bytes: Uint8Array): Promise<void> {
      const intake = await opened.promise;
      // The rest of a refused file is read and discarded.
      if (!intake || isRefused) return;
      try {
        await intake.write(bytes);
      } catch (error) {
        isRefused = true;
        read.reject(error);
      }
    },
    async end(): Promise<Result> {
      read.resolve();
      return await result;
    },
    async abort(error: unknown): Promise<Result> {
      read.reject(error);
      return await result;
    },
  };
}
