import { brotliDecompressSync } from 'node:zlib';

/** Decoders of content codings. */
export const DECODERS: Readonly<Record<string, (bytes: Uint8Array<ArrayBuffer>) => Uint8Array>> = {
  gzip: (bytes) => Bun.gunzipSync(bytes),
  br: (bytes) => brotliDecompressSync(bytes),
  zstd: (bytes) => Bun.zstdDecompressSync(bytes),
};

/** A response with its bytes as they were sent. */
export interface Coded {
  status: number;
  headers: Headers;
  coding: string | null;
  /** Number of bytes, as sent. */
  length: number;
  /** Decoded. */
  text: string;
}

/** Requests without decoding by the runtime. */
export async function fetchCoded(url: string, init: RequestInit = {}): Promise<Coded> {
  const answer = await fetch(url, { redirect: 'manual', ...init, decompress: false } as RequestInit);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const coding = answer.headers.get('Content-Encoding');
  const text = Buffer.from(
    coding === null || bytes.length === 0 ? bytes : (DECODERS[coding]?.(bytes) ?? ''),
  ).toString();
  return { status: answer.status, headers: answer.headers, coding, length: bytes.length, text };
}
