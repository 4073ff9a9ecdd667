import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { filesOf } from './files.ts';
import { until } from './until.ts';

/** Creates a picture of one color. */
export async function picture(
  color: string,
  { width = 800, height = 400, format = 'png' as 'png' | 'jpeg' | 'gif' | 'tiff' } = {},
) {
  const bytes = await sharp({ create: { width, height, channels: 3, background: color } })
    [format]()
    .toBuffer();
  return new Uint8Array(bytes);
}

/** Creates a photograph, 40 × 20 pixels before it is turned upright. @param taken `2019:07:31 23:30:00` */
export async function photograph(taken: string | null, offset?: string): Promise<Uint8Array<ArrayBuffer>> {
  const times = { ...(taken && { DateTimeOriginal: taken }), ...(offset && { OffsetTimeOriginal: offset }) };
  const bytes = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#0a0' } })
    .withExif({ IFD0: { Make: 'FUJIFILM', Model: 'X-T5' }, IFD2: times })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  return new Uint8Array(bytes);
}

/** Names of pictures that browsers do not show; those marked `load` fire the `load` event nevertheless. */
export const DAMAGED = [
  'animated.gif', // load
  'still.gif', // load
  'lossy.webp', // load
  'animated.webp',
  'still.avif',
  'header.jpg', // load
  'garbled.jpg',
  'still.png',
] as const;

/** Creates a picture with an intact beginning and damaged pixels. */
export async function damaged(name: (typeof DAMAGED)[number]): Promise<Uint8Array<ArrayBuffer>> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const still = () => sharp({ create: { width: 120, height: 80, channels: 3, background: '#333', noise } });
  const frames = async () => await Promise.all([1, 2, 3].map(() => still().png().toBuffer()));
  const animated = async () => sharp(await frames(), { join: { animated: true } });
  const cut = (bytes: Buffer, length: number) => new Uint8Array(bytes.subarray(0, length));
  const garbled = (bytes: Buffer, from: number) => new Uint8Array(bytes).fill(0x5a, from);
  switch (name) {
    case 'animated.gif':
      return garbled(await (await animated()).gif().toBuffer(), 800);
    case 'still.gif':
      return garbled(await still().gif().toBuffer(), 800);
    case 'lossy.webp':
      return garbled(await still().webp().toBuffer(), 32);
    case 'animated.webp':
      return garbled(await (await animated()).webp().toBuffer(), 60);
    case 'still.avif':
      return garbled(await still().avif().toBuffer(), 32);
    case 'header.jpg':
      return cut(await still().jpeg().toBuffer(), 640);
    case 'garbled.jpg':
      return garbled(await still().jpeg().toBuffer(), 20);
    case 'still.png':
      return garbled(await still().png().toBuffer(), 60);
  }
}

/** Creates a PNG of one color with these dimensions in a file of a few kilobytes. */
export function pngBomb(width: number, height: number): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * Math.min(height, 2_000)), { level: 9 });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return new Uint8Array(
    Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]),
  );
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  crc.writeUInt32BE(Bun.hash.crc32(typed));
  return Buffer.concat([length, typed, crc]);
}

/** Waits until the file has a rendition; returns its path. */
export async function renditionOf(
  person: ReturnType<typeof filesOf>,
  id: string,
  kind: 'thumbnail' | 'preview',
): Promise<string> {
  const path = `/api/storage/files/${id}/${kind}`;
  await until(async () => (await person.get(path)).ok);
  return path;
}

/** Waits until the file has a thumbnail; returns its path. */
export async function thumbnailOf(person: ReturnType<typeof filesOf>, id: string): Promise<string> {
  const { thumbnailPath } = await person.metadata(id);
  if (thumbnailPath === null) throw new Error('the file gets no thumbnail');
  await until(async () => (await person.get(thumbnailPath)).ok);
  return thumbnailPath;
}
