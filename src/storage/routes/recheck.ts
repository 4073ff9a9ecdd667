import { SECOND } from '../../kernel/clock.ts';
import { asUnavailable } from '../../kernel/errors/unavailable.ts';
import type { Auth } from '../../kernel/http/auth.ts';
import type { Ctx } from '../../kernel/http/context.ts';

/** Checks that a request is still permitted. @throws Problem */
export type Recheck = () => Promise<void>;

const UPLOAD_MS = SECOND;
const DOWNLOAD_MS = 5 * SECOND;

/** Returns a check for the end of an upload, whose session or token may have ended since its start. */
export type RecheckUpload = (c: Ctx, auth: Auth<unknown>) => Recheck;

/** @param ms duration of uploads that are not checked again, since they are too short */
export function createRecheckUpload(ms = UPLOAD_MS): RecheckUpload {
  return (c, auth) => atMostEvery(ms, async () => void (await auth.authenticate(c, async () => undefined)));
}

/**
 * Returns a check to call for each chunk of a download, which runs at most every five seconds. While the database does
 * not respond, the download continues.
 */
export function recheckDownload(check: () => Promise<unknown>): Recheck {
  return atMostEvery(DOWNLOAD_MS, async () => {
    try {
      await check();
    } catch (error) {
      if (asUnavailable(error) === null) throw error;
    }
  });
}

function atMostEvery(ms: number, check: Recheck): Recheck {
  let last = performance.now();
  return async () => {
    const now = performance.now();
    if (now - last < ms) return;
    last = now;
    await check();
  };
}
