/**
 * The program that decodes untrusted pictures and PDF files: `child.ts … CODEC PIXELS`. The value of a job is a list of
 * longest sides, the smallest first, and its result the facts of the picture with its renditions. For the side 0 alone,
 * the result is the format of the picture with a full-size copy, upright and without metadata. All files of a process
 * have one owner; the process has no secrets, cannot open other files or connections, and may crash.
 */
import sharp, { type Sharp } from 'sharp';
import { serveJobs } from '../../../kernel/compute/child.ts';
import type { Payload } from '../../../kernel/compute/frames.ts';
import { type MediaFacts, NO_FACTS } from '../../tree/files/file.ts';
import { factsOf } from './exif.ts';
import { isPdf, isSequence, type RasterFormat, rasterFormat, WHOLE } from './formats.ts';
import { type DecodeHeic, loadHeicDecoder } from './heic.ts';
import { type DrawPdf, loadPdfRenderer } from './pdf.ts';

const QUALITY = 80;
const COPY_QUALITY = 92;
/** About 150 bytes, which a browser enlarges to a blurred picture. */
const PLACEHOLDER_SIDE = 24;
const PLACEHOLDER_QUALITY = 20;
/** Effort 2 takes twice the time for a tenth fewer bytes. */
const EFFORT = 0;
/** Maximum size of a file in bytes; the server sends none larger. */
const LARGEST_FILE = 1024 ** 3;

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
/**
 * Maximum size of a rendition, by its longest side, unless the file itself is larger: 256 KB for a preview, 64 KB for a
 * thumbnail. No quota counts renditions, and a PDF file of less than 1 KB can draw noise.
 */
const BYTES_PER_PIXEL = 128;
/** Qualities for pictures that are larger in the usual one. */
const LOWER_QUALITIES = [40, 10, 1];
const inside = (side: number) =>
  ({ width: side, height: side, fit: 'inside', withoutEnlargement: true }) as const;

interface Codecs {
  /** Maximum number of pixels of a picture. */
  pixels: number;
  decodeHeic: DecodeHeic | null;
  drawPdf: DrawPdf | null;
}

/**
 * Renders a picture. Returns only its facts when its pixels are damaged.
 * @param sides the smallest first
 */
async function render(
  upright: Sharp,
  facts: MediaFacts,
  { sides, fileBytes }: { sides: readonly number[]; fileBytes: number },
): Promise<Payload> {
  const pixels = await upright
    .resize(inside(Math.max(...sides)))
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => null);
  if (!pixels) return { value: facts };
  const { data, info } = pixels;
  const webp = (side: number, quality: number) =>
    sharp(data, { raw: info }).resize(inside(side)).webp({ quality, effort: EFFORT }).toBuffer();
  const placeholder = (await webp(PLACEHOLDER_SIDE, PLACEHOLDER_QUALITY)).toString('base64');
  const blobs: Uint8Array[] = [];
  for (const side of sides) {
    const most = Math.max(side * BYTES_PER_PIXEL, fileBytes);
    blobs.push(await withinBytes(most, (quality) => webp(side, quality)));
  }
  return { value: { ...facts, placeholder }, blobs };
}

/**
 * Encodes a picture in the highest quality in which it has at most `most` bytes.
 * @throws Error when it has more in the lowest quality
 */
async function withinBytes(most: number, encode: (quality: number) => Promise<Buffer>): Promise<Buffer> {
  for (const quality of [QUALITY, ...LOWER_QUALITIES]) {
    const bytes = await encode(quality);
    if (bytes.length <= most) return bytes;
  }
  throw new Error('the picture has too many details');
}

/** Renders a raster picture, or copies it in full size. */
async function renderPicture(
  file: Uint8Array,
  format: RasterFormat,
  sides: readonly number[],
  codecs: Codecs,
): Promise<Payload> {
  const { header, upright } = await openPicture(file, format, codecs);
  if (sides[0] !== WHOLE) return await render(upright, factsOf(header), { sides, fileBytes: file.length });
  // The copy would have the first of them only.
  if ((header.pages ?? 1) > 1 || isSequence(file)) throw new Error('a picture of several pages or frames');
  return await copyWhole(upright, format);
}

/** Reads the header of a raster picture and prepares its decoder. */
async function openPicture(file: Uint8Array, format: RasterFormat, { pixels, decodeHeic }: Codecs) {
  // Disables all decoders except the one of the format that the first bytes show.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: [LOADERS[format]] });
  const options = { limitInputPixels: pixels, failOn: 'error', pages: 1 } as const;
  // Reads the header only, before anything is decoded.
  const header = await sharp(file, options).metadata();
  const { width, height } = header;
  if (width * height > pixels) throw new Error(`${width} × ${height} pixels are too many`);
  if (format !== 'heic') return { header, upright: sharp(file, options).autoOrient() };
  if (!decodeHeic) throw new Error('a HEIC picture of another media type');
  return { header, upright: await decodeHeic(file) };
}

/** Copies a picture in full size, in its format if browsers display it. */
async function copyWhole(upright: Sharp, format: RasterFormat): Promise<Payload> {
  const kept = format === 'png' || format === 'webp' ? format : 'jpeg';
  // A quality would reduce the colors of a PNG.
  const quality = kept === 'png' ? {} : { quality: COPY_QUALITY };
  // Without keepMetadata, EXIF, XMP and IPTC are dropped; colors are converted to sRGB.
  return { value: kept, blobs: [await upright.toFormat(kept, quality).toBuffer()] };
}

await serveJobs(
  async ([codec, pixels]) => {
    const codecs = {
      pixels: Number(pixels),
      decodeHeic: codec === 'heic' ? await loadHeicDecoder() : null,
      drawPdf: codec === 'pdf' ? await loadPdfRenderer() : null,
    };
    sharp.cache(false);
    sharp.concurrency(1);
    return async ({ value, blobs: [file = new Uint8Array()] = [] }) => {
      const sides = value as number[];
      const format = rasterFormat(file);
      if (format) return await renderPicture(file, format, sides, codecs);
      if (!codecs.drawPdf || !isPdf(file))
        throw new Error('not a raster picture or PDF file of a known format');
      const drawn = await codecs.drawPdf(file, Math.max(...sides));
      return await render(drawn, NO_FACTS, { sides, fileBytes: file.length });
    };
  },
  { largest: LARGEST_FILE },
);
