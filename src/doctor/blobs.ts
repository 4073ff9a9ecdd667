import { existsSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import type { Secrets } from '../config/secrets.ts';
import { SECOND } from '../kernel/clock.ts';
import { bytesIn } from '../kernel/content.ts';
import { newId } from '../kernel/ids.ts';
import { fetchShort } from '../kernel/short-response.ts';
import { openBlobs } from '../storage/blobs/open.ts';
import { CheckFailed, withRemedy } from './check.ts';

const REDIRECT_MS = 10 * SECOND;
/** A download that browsers must save, since they could run it. */
const REDIRECTED = { 'Content-Type': 'text/html', 'Content-Disposition': 'attachment; filename="a b.html"' };

/** Checks that the blob store can write, read and delete. */
export async function checkBlobs(config: Config, secrets: Secrets): Promise<string> {
  const { blobs: place } = config;
  if (place.kind === 'local' && !existsSync(place.directory))
    return `${place.directory} will be created on the first start.`;
  const remedy =
    place.kind === 'local'
      ? `Give this user write access to ${place.directory}.`
      : 'Check POSTHOUSE_S3_URL (bucket, endpoint, region) and the two keys, which must allow reading, ' +
        'writing and deleting.';
  return await withRemedy(remedy, async () => {
    const blobs = openBlobs(place, secrets.s3);
    const key = newId();
    const text = `written by posthouse doctor ${key}`;
    const started = performance.now();
    const writer = blobs.create(key);
    try {
      await writer.write(Buffer.from(text));
      await writer.commit();
      if (!Buffer.from(text).equals(await bytesIn(await blobs.read(key, Buffer.byteLength(text)))))
        throw new CheckFailed('The store returned different bytes from those that were written.');
      if (blobs.link) await checkRedirect(await blobs.link(key, REDIRECTED), text, config);
    } finally {
      await writer.abort();
      await blobs.delete(key);
    }
    const took = `${(performance.now() - started).toFixed(0)} ms to write, read and delete`;
    return place.kind === 'local' ? `${place.directory}; ${took}.` : `S3 bucket ${place.bucket}; ${took}.`;
  });
}

/** Checks that a client gets the bytes from a URL of a redirect, with the requested header fields. */
async function checkRedirect(url: URL, text: string, { publicUrl }: Config): Promise<void> {
  if (publicUrl?.startsWith('https:') && url.protocol === 'http:')
    throw new CheckFailed(
      `Downloads are redirected to ${url.origin} without encryption, which browsers refuse: set public=https://… ` +
        'in POSTHOUSE_S3_URL, or POSTHOUSE_S3_REDIRECT=false.',
    );
  const response = await fetchShort(url.href, {
    redirect: 'manual',
    signal: AbortSignal.timeout(REDIRECT_MS),
  });
  const isSame = (await response.text()) === text;
  const hasHeaders = Object.entries(REDIRECTED).every(
    ([name, value]) => response.headers.get(name) === value,
  );
  if (response.status !== 200 || !isSame || !hasHeaders)
    throw new CheckFailed(
      `Redirected downloads fail: ${url.origin} responds with status ${response.status}` +
        `${hasHeaders ? '' : ', and without the requested Content-Disposition'}. Set public=… in ` +
        'POSTHOUSE_S3_URL to the endpoint that clients reach, or POSTHOUSE_S3_REDIRECT=false.',
    );
}
