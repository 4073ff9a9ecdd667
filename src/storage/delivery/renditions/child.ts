/**
 * The program that decodes untrusted pictures: `child.ts PIXELS MEMORY SIDE…` reads one from standard input and writes
 * a frame for each longest side, the smallest first: the facts of the picture, and its rendition. It exits with status
 * 2 and a reason when the picture cannot be used. Each picture has its own process, which has no secrets, can open no
 * file and no connection, and may crash.
 */
import sharp from 'sharp';
import { confine } from '../../../kernel/compute/confine.ts';
import { frameOf } from '../../../kernel/compute/frames.ts';
import { openMemoryUsage } from '../../../kernel/compute/usage.ts';
import { factsOf } from './exif.ts';
import { type RasterFormat, rasterFormat } from './formats.ts';

const UNUSABLE = 2;
const WATCH_MS = 20;
const QUALITY = 80;
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
  tiff: 'VipsForeignLoadTiffBuffer',
};
const inside = (side: number) =>
  ({ width: side, height: side, fit: 'inside', withoutEnlargement: true }) as const;

confine(memory);

try {
  const picture = await Bun.stdin.bytes();
  const format = rasterFormat(picture);
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
  const { data, info } = await sharp(picture, options)
    .autoOrient()
    .resize(inside(Math.max(...sides)))
    // Without keepMetadata, EXIF, XMP and IPTC are dropped; colours are converted to sRGB.
    .raw()
    .toBuffer({ resolveWithObject: true });
  const value = factsOf(header);
  for (const side of sides) {
    const rendition = await sharp(data, { raw: info })
      .resize(inside(side))
      .webp({ quality: QUALITY, effort: EFFORT })
      .toBuffer();
    for (const part of frameOf({ value, blobs: [rendition] })) await Bun.write(Bun.stdout, part);
  }
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : 'unknown');
  process.exit(UNUSABLE);
}
