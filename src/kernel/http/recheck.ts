import { SECOND } from '../clock.ts';
import { asUnavailable } from '../errors/unavailable.ts';
import type { Auth } from './auth.ts';
import type { Ctx } from './context.ts';

/** Checks that a request is still permitted. @throws Problem */
export type Recheck = () => Promise<void>;

const UPLOAD_MS = SECOND;
const DOWNLOAD_MS = 5 * SECOND;

/**
 * Returns a check for the end of an upload, whose session or token may have ended since its start. Uploads shorter than
 * a second are not checked again.
 */
export function recheckUpload(c: Ctx, auth: Auth<unknown>): Recheck {
  return atMostEvery(UPLOAD_MS, async () => void (await auth.authenticate(c, async () => undefined)));
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
