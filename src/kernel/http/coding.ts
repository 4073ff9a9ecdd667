import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip } from 'node:zlib';
import { weightsOf } from '../weights.ts';

/** A content coding (RFC 9110 §8.4.1, RFC 8878, RFC 7932). */
export type Coding = 'zstd' | 'br' | 'gzip';

/** The cheapest first. Their order decides when the client has no preference. */
export const CODINGS: readonly Coding[] = ['zstd', 'br', 'gzip'];

/**
 * Returns which of `CODINGS` the client prefers (RFC 9110 §12.5.3), the first of several equals; null = none.
 * @param header the value of `Accept-Encoding`
 */
export function chooseCoding(header: string | null | undefined): Coding | null {
  if (!header) return null;
  const weights = weightsOf(header);
  let chosen: Coding | null = null;
  let most = weights.get('identity') ?? 0;
  for (const coding of CODINGS) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0;
    if (weight === 0 || weight < most || (chosen !== null && weight === most)) continue;
    chosen = coding;
    most = weight;
  }
  return chosen;
}

const GZIP_LEVEL = 6;
const ZSTD_LEVEL = 3;
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
/** Maximum length that is compressed on this thread: about a millisecond. */
const QUICK_BYTES = 16_384;

const gzipOnThread = promisify(gzip);
const brotliOnThread = promisify<Uint8Array, typeof BROTLI, Uint8Array>(brotliCompress);

/** Returns compressed bytes. Long ones are compressed on a thread of the runtime's pool. */
export async function encode(bytes: Uint8Array<ArrayBuffer>, coding: Coding): Promise<Uint8Array> {
  const isQuick = bytes.length <= QUICK_BYTES;
  switch (coding) {
    case 'zstd':
      return isQuick
        ? Bun.zstdCompressSync(bytes, { level: ZSTD_LEVEL })
        : await Bun.zstdCompress(bytes, { level: ZSTD_LEVEL });
    case 'br':
      return isQuick ? brotliCompressSync(bytes, BROTLI) : await brotliOnThread(bytes, BROTLI);
    case 'gzip':
      return isQuick
        ? Bun.gzipSync(bytes, { level: GZIP_LEVEL })
        : await gzipOnThread(bytes, { level: GZIP_LEVEL });
  }
}
