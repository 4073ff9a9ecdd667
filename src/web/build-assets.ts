import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { BuildArtifact } from 'bun';

/** Minimum size in bytes; smaller files gain nothing from compression. */
const SMALLEST_COMPRESSED = 1_000;
const ZSTD_LEVEL = 19;
const BROTLI_QUALITY = 10;
/** Above this size in bytes, the best compression takes seconds and saves only a tenth more. */
const LARGEST_BEST = 1_000_000;
/** Level of both codings for larger files. */
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
/** Types that are worth compressing; files of other types are compressed already, or rarely loaded. */
const COMPRESSED = /^(?:text|image\/svg|application\/manifest)/;

/** Where a build is written. */
export interface Target {
  /** Null = nothing is written. */
  directory: string | null;
  /** The files by name. */
  assets: Record<string, { type: string; compressed: boolean }>;
}

/** Adds a file under a name with the hash of its content. Returns that name. */
export function addFile(name: string, content: string | Buffer, target: Target): string {
  const hash = new Bun.CryptoHasher('sha256').update(content).digest('hex').slice(0, 8);
  const hashed = name.replace('.', `-${hash}.`);
  writeAsset(hashed, Buffer.from(content), target);
  return hashed;
}

/** Writes files and their compressed copies. Returns their gzip sizes in bytes, by name. */
export async function writeAssets(outputs: readonly BuildArtifact[], target: Target) {
  const sizes = new Map<string, number>();
  for (const output of outputs) {
    const name = basename(output.path);
    sizes.set(name, writeAsset(name, Buffer.from(await output.arrayBuffer()), target));
  }
  return sizes;
}

/** Writes a file, and its compressed copies if it is worth compressing. Returns its gzip size in bytes. */
export function writeAsset(name: string, bytes: Buffer, { directory, assets }: Target): number {
  const type = TYPES[name.split('.').at(-1) ?? ''];
  if (!type) throw new Error(`${name} has no known type`);
  const compressed = bytes.length >= SMALLEST_COMPRESSED && COMPRESSED.test(type);
  const gzip = compressed ? gzipSync(bytes, { level: 9 }) : null;
  // The app has some files in common in all languages.
  if (directory !== null && !(name in assets)) writeCodings(join(directory, name), bytes, gzip);
  assets[name] = { type, compressed };
  return (gzip ?? bytes).length;
}

/** Writes a file, in each coding if it has a compressed copy. */
function writeCodings(path: string, bytes: Buffer, gzip: Buffer | null): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  if (gzip === null) return;
  writeFileSync(`${path}.gz`, gzip);
  const isLarge = bytes.length > LARGEST_BEST;
  writeFileSync(`${path}.zst`, Bun.zstdCompressSync(bytes, { level: isLarge ? QUICK : ZSTD_LEVEL }));
  const params = { [constants.BROTLI_PARAM_QUALITY]: isLarge ? QUICK : BROTLI_QUALITY };
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
}
