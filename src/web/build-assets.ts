import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { BuildArtifact } from 'bun';

/** Smaller files gain nothing from compression. */
const SMALLEST_COMPRESSED = 1_000;
const ZSTD_LEVEL = 19;
const BROTLI_QUALITY = 10;
/** Above this size, the best compression takes seconds, for a tenth fewer bytes. */
const LARGEST_BEST = 1_000_000;
/** Of both codings. */
const QUICK = 9;

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  webmanifest: 'application/manifest+json',
  ttf: 'font/ttf',
  pfb: 'application/octet-stream',
  bcmap: 'application/octet-stream',
};
/** The others are compressed, or seldom loaded. */
const COMPRESSED = /^(?:text|image\/svg|application\/manifest)/;

/** Where a build is written. */
export interface Target {
  directory: string;
  /** The files by name. */
  assets: Record<string, { type: string; compressed: boolean }>;
}

/** Adds a file under its name and the hash of its content. Returns this name. */
export function addFile(name: string, content: string | Buffer, target: Target): string {
  const hash = new Bun.CryptoHasher('sha256').update(content).digest('hex').slice(0, 8);
  const hashed = name.replace('.', `-${hash}.`);
  writeAsset(hashed, Buffer.from(content), target);
  return hashed;
}

/** Writes files and their compressed copies. Returns their sizes by name, compressed with gzip. */
export async function writeAssets(outputs: readonly BuildArtifact[], target: Target) {
  const sizes = new Map<string, number>();
  for (const output of outputs) {
    const name = basename(output.path);
    sizes.set(name, writeAsset(name, Buffer.from(await output.arrayBuffer()), target));
  }
  return sizes;
}

/** Writes a file, and its compressed copies if they are of use. Returns its size, compressed with gzip. */
export function writeAsset(name: string, bytes: Buffer, { directory, assets }: Target): number {
  const type = TYPES[name.split('.').at(-1) ?? ''];
  if (!type) throw new Error(`${name} has no known type`);
  const compressed = bytes.length >= SMALLEST_COMPRESSED && COMPRESSED.test(type);
  assets[name] = { type, compressed };
  mkdirSync(dirname(join(directory, name)), { recursive: true });
  writeFileSync(join(directory, name), bytes);
  return compressed ? writeCompressed(join(directory, name), bytes) : bytes.length;
}

/** Writes a file in each coding; returns the size of gzip. */
function writeCompressed(path: string, bytes: Buffer): number {
  const gzip = gzipSync(bytes, { level: 9 });
  writeFileSync(`${path}.gz`, gzip);
  const isLarge = bytes.length > LARGEST_BEST;
  writeFileSync(`${path}.zst`, Bun.zstdCompressSync(bytes, { level: isLarge ? QUICK : ZSTD_LEVEL }));
  const params = { [constants.BROTLI_PARAM_QUALITY]: isLarge ? QUICK : BROTLI_QUALITY };
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
  return gzip.length;
}
