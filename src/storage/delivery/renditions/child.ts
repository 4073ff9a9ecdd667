/**
 * The program that decodes untrusted pictures: `child.ts PIXELS MEMORY SIDE…` reads one from standard input and writes
 * a frame for each longest side, the smallest first: the facts of the picture, and its rendition. With the side 0 alone,
 * the frame has the picture itself, upright and without metadata, and its format. It exits with status 2 and a reason
 * when the picture cannot be used. Each picture has its own process, which has no secrets, can open no
 * file and no connection, and may crash.
 */
import sharp, { type Sharp } from 'sharp';
import { confine } from '../../../kernel/compute/confine.ts';
import { frameOf } from '../../../kernel/compute/frames.ts';
import { openMemoryUsage } from '../../../kernel/compute/usage.ts';
import type { PictureFacts } from '../../tree/file.ts';
import { factsOf } from './exif.ts';
import { type RasterFormat, rasterFormat, WHOLE } from './formats.ts';
import { loadHeicDecoder } from './heic.ts';

const UNUSABLE = 2;
const WATCH_MS = 20;
const QUALITY = 80;
const COPY_QUALITY = 92;
/** Effort 2 takes twice the time for a tenth fewer bytes. */
const EFFORT = 0;
const [pixels = 0, memory = 0, ...sides] = process.argv.slice(2).map(Number);

const usedMemory = openMemoryUsage();

// The operating system enforces a limit too, where it has one; this one works everywhere.
setInterval(() => {
  if (usedMemory() > memory) process.kill(process.pid, 'SIGKILL');
}, WATCH_MS).unref();

const LOADERS: Record<RasterFormat, string> = {
  jpeg: 'VipsForeignLoadJpegBuffer',
  png: 'VipsForeignLoadPngBuffer',
  webp: 'VipsForeignLoadWebpBuffer',
  gif: 'VipsForeignLoadNsgifBuffer',
  avif: 'VipsForeignLoadHeifBuffer',
  // Reads the header, but not the pixels.
  heic: 'VipsForeignLoadHeifBuffer',
  tiff: 'VipsForeignLoadTiffBuffer',
};
const inside = (side: number) =>
  ({ width: side, height: side, fit: 'inside', withoutEnlargement: true }) as const;

async function send(value: unknown, bytes: Buffer): Promise<void> {
  for (const part of frameOf({ value, blobs: [bytes] })) await Bun.write(Bun.stdout, part);
}

async function render(upright: Sharp, facts: PictureFacts): Promise<void> {
  const { data, info } = await upright
    .resize(inside(Math.max(...sides)))
    .raw()
    .toBuffer({ resolveWithObject: true });
  for (const side of sides) {
    const rendition = sharp(data, { raw: info }).resize(inside(side));
    await send(facts, await rendition.webp({ quality: QUALITY, effort: EFFORT }).toBuffer());
  }
}

const picture = await Bun.stdin.bytes();
const format = rasterFormat(picture);
const decodeHeic = format === 'heic' ? await loadHeicDecoder() : null;

confine(memory);

try {
  if (!format) throw new Error('not a raster picture of a known format');
  // Disables all decoders except the one of the format that the first bytes show.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: [LOADERS[format]] });
  sharp.cache(false);
  sharp.concurrency(1);
  const options = { limitInputPixels: pixels, failOn: 'error', pages: 1 } as const;
  // Reads the header only, before anything is decoded.
  const header = await sharp(picture, options).metadata();
  const { width, height } = header;
  if (width * height > pixels) throw new Error(`${width} × ${height} pixels are too many`);
  // Without keepMetadata, EXIF, XMP and IPTC are dropped; colours are converted to sRGB.
  const upright = decodeHeic ? await decodeHeic(picture) : sharp(picture, options).autoOrient();
  if (sides[0] === WHOLE) {
    if ((header.pages ?? 1) > 1 && format === 'webp') throw new Error('an animation');
    const kept = format === 'png' || format === 'webp' ? format : 'jpeg';
    // A quality would reduce the colours of a PNG.
    const quality = kept === 'png' ? {} : { quality: COPY_QUALITY };
    await send(kept, await upright.toFormat(kept, quality).toBuffer());
  } else await render(upright, factsOf(header));
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : 'unknown');
  process.exit(UNUSABLE);
}
