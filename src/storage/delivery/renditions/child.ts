/**
 * The program that decodes untrusted pictures and PDF files: `child.ts PIXELS MEMORY SIDE…` reads one from standard
 * input and writes a frame for each longest side, the smallest first: the facts of the picture, and its rendition. With
 * the side 0 alone, the frame has the picture itself, upright and without metadata, and its format. It exits with
 * status 2 and a reason when the file cannot be used. Each file has its own process, which has no secrets, can open no
 * other file and no connection, and may crash.
 */
import sharp, { type Sharp } from 'sharp';
import { confine } from '../../../kernel/compute/confine.ts';
import { frameOf } from '../../../kernel/compute/frames.ts';
import { openMemoryUsage } from '../../../kernel/compute/usage.ts';
import { type MediaFacts, NO_FACTS } from '../../tree/file.ts';
import { factsOf } from './exif.ts';
import { isPdf, type RasterFormat, rasterFormat, WHOLE } from './formats.ts';
import { loadHeicDecoder } from './heic.ts';
import { loadPdfRenderer } from './pdf.ts';

const UNUSABLE = 2;
const WATCH_MS = 20;
const QUALITY = 80;
const COPY_QUALITY = 92;
/** About 150 bytes, which a browser enlarges to a blurred picture. */
const PLACEHOLDER_SIDE = 24;
const PLACEHOLDER_QUALITY = 20;
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

async function render(upright: Sharp, facts: MediaFacts): Promise<void> {
  const { data, info } = await upright
    .resize(inside(Math.max(...sides)))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const webp = (side: number, quality: number) =>
    sharp(data, { raw: info }).resize(inside(side)).webp({ quality, effort: EFFORT }).toBuffer();
  const placeholder = (await webp(PLACEHOLDER_SIDE, PLACEHOLDER_QUALITY)).toString('base64');
  for (const side of sides) await send({ ...facts, placeholder }, await webp(side, QUALITY));
}

/** Decodes a raster picture. */
async function renderPicture(format: RasterFormat): Promise<void> {
  // Disables all decoders except the one of the format that the first bytes show.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: [LOADERS[format]] });
  const options = { limitInputPixels: pixels, failOn: 'error', pages: 1 } as const;
  // Reads the header only, before anything is decoded.
  const header = await sharp(file, options).metadata();
  const { width, height } = header;
  if (width * height > pixels) throw new Error(`${width} × ${height} pixels are too many`);
  // Without keepMetadata, EXIF, XMP and IPTC are dropped; colours are converted to sRGB.
  const upright = decodeHeic ? await decodeHeic(file) : sharp(file, options).autoOrient();
  if (sides[0] !== WHOLE) return await render(upright, factsOf(header));
  if ((header.pages ?? 1) > 1 && format === 'webp') throw new Error('an animation');
  const kept = format === 'png' || format === 'webp' ? format : 'jpeg';
  // A quality would reduce the colours of a PNG.
  const quality = kept === 'png' ? {} : { quality: COPY_QUALITY };
  await send(kept, await upright.toFormat(kept, quality).toBuffer());
}

const file = await Bun.stdin.bytes();
const format = rasterFormat(file);
const decodeHeic = format === 'heic' ? await loadHeicDecoder() : null;
const drawPdf = isPdf(file) ? await loadPdfRenderer() : null;

confine(memory);

try {
  sharp.cache(false);
  sharp.concurrency(1);
  if (format) await renderPicture(format);
  else if (drawPdf) await render(await drawPdf(file, Math.max(...sides)), NO_FACTS);
  else throw new Error('not a raster picture or PDF file of a known format');
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : 'unknown');
  process.exit(UNUSABLE);
}
