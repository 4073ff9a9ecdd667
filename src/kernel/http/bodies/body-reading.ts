import type { Ctx } from '../context.ts';
import type { RawBody, RequestBody } from './request-body.ts';

export interface BodyReading {
  read(): Promise<unknown>;
  /** Releases the body and the memory reserved for it. */
  release(): void;
}

/** Reads the body when it is first needed, for the authentication or for the handler. */
export function createBodyReading(c: Ctx, body: RequestBody<unknown>): BodyReading {
  let reading: Promise<RawBody> | undefined;
  let release: (() => void) | undefined;
  return {
    async read(): Promise<unknown> {
      reading ??= body.read(c);
      const received = await reading;
      release ??= once(received.release);
      return received.value;
    },
    release() {
      release?.();
      reading = undefined;
    },
  };
}

function once(work: (() => void) | undefined): () => void {
  let left = work;
  return () => {
    left?.();
    left = undefined;
  };
}
