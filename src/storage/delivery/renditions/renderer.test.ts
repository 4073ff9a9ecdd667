import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import sharp from 'sharp';
import { pngBomb } from '../../../../test/harness/pictures.ts';
import { JobInterrupted } from '../../../kernel/compute/start-child.ts';
import { createLog } from '../../../kernel/log.ts';
import { type MediaFacts, NO_FACTS, type RenditionKind } from '../../tree/files/file.ts';
import { NoRendition } from './decoder.ts';
import { createRenderer } from './renderer.ts';

const LOG = createLog('silent');
const shared = createRenderer(LOG);
afterAll(shared.stop);

/** @param mimeType of HEIC, which decodes the other pictures too */
function pictureOf(bytes: Uint8Array, mimeType = 'image/heic') {
  const chunks = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  return { mimeType, size: bytes.length, chunks, owner: 'ada' };
}

/** Returns the last of `kinds`, and the facts. */
async function renderAll(
  bytes: Uint8Array,
  limits?: object,
  kinds: readonly RenditionKind[] = ['thumbnail'],
) {
  const renderer = limits ? createRenderer(LOG, limits) : shared;
  const rendered = await renderer.render(pictureOf(bytes), kinds);
  if (limits) renderer.stop();
  expect(rendered.map(({ kind }) => kind)).toEqual([...kinds]);
  return rendered.at(-1) ?? { bytes: new Uint8Array(), facts: {} as MediaFacts };
}
const render = async (bytes: Uint8Array, limits?: object) => (await renderAll(bytes, limits)).bytes;
const renderPreview = async (bytes: Uint8Array) =>
  (await renderAll(bytes, undefined, ['thumbnail', 'preview'])).bytes;

/** Left half red, right half blue, 120 × 60 pixels. */
const heic = Bun.file(join(import.meta.dir, '../../../../test/harness/upright.heic'));

/** Returns the picture with other bytes at an offset: of the reference, the sizes, the grid or the tile's place. */
async function heicWith(offset: number, ...changed: number[]): Promise<Uint8Array> {
  const bytes = await heic.bytes();
  bytes.set(changed, offset);
  return bytes;
}

/** Left half red, right half blue. */
function picture(width = 1200, height = 600) {
  const half = { create: { width: width / 2, height, channels: 3 as const, background: '#00f' } };
  return sharp({ create: { width, height, channels: 3, background: '#f00' } }).composite([
    { input: half, left: width / 2, top: 0 },
  ]);
}

/** Returns a picture on its side, with its place and its camera. */
async function photographOfAda(): Promise<Buffer> {
  const bytes = await picture()
    .withExif({
      IFD0: { Make: 'Camera of Ada', Orientation: '6' },
      IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' },
    })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret/></x:xmpmeta>')
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  expect(bytes.includes('Camera of Ada')).toBe(true);
  return bytes;
}

async function pixel(thumbnail: Uint8Array, left: number, top: number): Promise<number[]> {
  const { data } = await sharp(thumbnail)
    .extract({ left, top, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [...data].map((value) => (value > 200 ? 1 : value < 60 ? 0 : 0.5));
}

/** A TIFF whose only directory claims a tag of four billion values. */
function tiffWithHugeTag(): Buffer {
  const tags: [tag: number, type: number, count: number, value: number][] = [
    [256, 4, 1, 64],
    [257, 4, 1, 64],
    [258, 3, 1, 8],
    [259, 3, 1, 1],
    [262, 3, 1, 1],
    [273, 4, 0xffff_ffff, 8],
    [279, 4, 0xffff_ffff, 8],
  ];
  const file = Buffer.alloc(8 + 2 + 12 * tags.length + 4);
  file.write('II*\0', 0, 'latin1');
  file.writeUInt32LE(8, 4);
  file.writeUInt16LE(tags.length, 8);
  tags.forEach(([tag, type, count, value], index) => {
    const at = 10 + 12 * index;
    file.writeUInt16LE(tag, at);
    file.writeUInt16LE(type, at + 2);
    file.writeUInt32LE(count, at + 4);
    file.writeUInt32LE(value, at + 8);
  });
  return file;
}

describe('renderPicture', () => {
  const formats: Record<string, () => Promise<Buffer>> = {
    JPEG: () => picture().jpeg().toBuffer(),
    PNG: () => picture().png().toBuffer(),
    'interlaced PNG': () => picture().png({ progressive: true }).toBuffer(),
    WebP: () => picture().webp().toBuffer(),
    GIF: () => picture().gif().toBuffer(),
    AVIF: () => picture().avif({ effort: 0 }).toBuffer(),
    TIFF: () => picture().tiff().toBuffer(),
    BigTIFF: () => picture().tiff({ bigtiff: true }).toBuffer(),
    '16-bit PNG': () => picture().toColourspace('rgb16').png().toBuffer(),
  };
  for (const [name, make] of Object.entries(formats)) {
    test(`${name} becomes WebP with the longest side 512`, async () => {
      const thumbnail = await render(await make());
      expect(await sharp(thumbnail).metadata()).toMatchObject({
        format: 'webp',
        width: 512,
        height: 256,
        space: 'srgb',
      });
      expect(await pixel(thumbnail, 10, 10)).toEqual([1, 0, 0]);
      expect(await pixel(thumbnail, 500, 250)).toEqual([0, 0, 1]);
    });
  }

  test('HEIC becomes WebP, and its facts are read', async () => {
    const { bytes, facts } = await renderAll(await heic.bytes(), undefined, ['thumbnail', 'preview']);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 120, height: 60 });
    expect([await pixel(bytes, 20, 30), await pixel(bytes, 100, 30)]).toEqual([
      [1, 0, 0],
      [0, 0, 1],
    ]);
    expect(facts).toEqual({
      width: 120,
      height: 60,
      takenAt: Date.UTC(2024, 4, 6, 7, 8, 9),
      takenOffset: 120,
      camera: 'Apple iPhone 15',
      placeholder: expect.any(String),
      durationMs: null,
    });
  });

  test('a CMYK JPEG becomes sRGB', async () => {
    const thumbnail = await render(await picture().toColourspace('cmyk').jpeg().toBuffer());
    expect(await sharp(thumbnail).metadata()).toMatchObject({ format: 'webp', width: 512, space: 'srgb' });
    expect(await pixel(thumbnail, 10, 10)).toEqual([1, 0, 0]);
  });

  test('small pictures are not enlarged, aspect ratio and transparency are kept', async () => {
    expect(await sharp(await render(await picture(40, 20).png().toBuffer())).metadata()).toMatchObject({
      width: 40,
      height: 20,
    });
    expect(await sharp(await render(await picture(10, 4_000).png().toBuffer())).metadata()).toMatchObject({
      width: 1,
      height: 512,
    });
    const clear = await sharp({ create: { width: 9, height: 9, channels: 4, background: '#0000' } })
      .png()
      .toBuffer();
    expect(await sharp(await render(clear)).metadata()).toMatchObject({ hasAlpha: true });
  });

  test('it is upright and has no metadata of place, camera or orientation', async () => {
    const original = await photographOfAda();
    expect((await sharp(original).metadata()).orientation).toBe(6);
    const thumbnail = await render(original);
    const facts = await sharp(thumbnail).metadata();
    expect(facts).toMatchObject({ width: 256, height: 512 });
    expect([facts.exif, facts.xmp, facts.iptc, facts.orientation]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(Buffer.from(thumbnail).includes('Ada')).toBe(false);
    // Orientation 6 is a quarter turn clockwise: what was left is now at the top.
    expect(await pixel(thumbnail, 128, 10)).toEqual([1, 0, 0]);
    expect(await pixel(thumbnail, 128, 500)).toEqual([0, 0, 1]);
  });

  test('it is the first frame of an animation', async () => {
    const frames = await Promise.all(
      ['#f00', '#0f0'].map((background) =>
        sharp({ create: { width: 60, height: 30, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const gif = await sharp(frames, { join: { animated: true } })
      .gif({ delay: [100, 100] })
      .toBuffer();
    expect((await sharp(gif, { animated: true }).metadata()).pages).toBe(2);
    const thumbnail = await render(gif);
    expect(await sharp(thumbnail, { animated: true }).metadata()).toMatchObject({ width: 60, height: 30 });
    expect((await sharp(thumbnail).metadata()).pages).toBeUndefined();
    expect(await pixel(thumbnail, 5, 5)).toEqual([1, 0, 0]);
  });

  test('a picture of 96 megapixels is within the limits', async () => {
    const large = await sharp({ create: { width: 12_000, height: 8_000, channels: 3, background: '#f00' } })
      .jpeg()
      .toBuffer();
    expect(await sharp(await render(large)).metadata()).toMatchObject({ width: 512, height: 341 });
  });
});

describe('a preview', () => {
  test('has the longest side 2048, and is not enlarged', async () => {
    const sizeOf = async (width: number, height: number) => {
      const {
        width: w,
        height: h,
        format,
      } = await sharp(await renderPreview(await picture(width, height).jpeg().toBuffer())).metadata();
      return [format, w, h];
    };
    expect(await sizeOf(3_000, 4_000)).toEqual(['webp', 1536, 2048]);
    expect(await sizeOf(600, 300)).toEqual(['webp', 600, 300]);
  });

  test('is upright and has no metadata of place, camera or orientation', async () => {
    const preview = await renderPreview(await photographOfAda());
    const { width, height, exif, xmp, iptc, orientation } = await sharp(preview).metadata();
    expect([width, height, exif, xmp, iptc, orientation]).toEqual([600, 1200, ...Array(4).fill(undefined)]);
    expect(Buffer.from(preview).includes('Ada')).toBe(false);
    expect(await pixel(preview, 300, 10)).toEqual([1, 0, 0]);
    expect(await pixel(preview, 300, 1190)).toEqual([0, 0, 1]);
  });

  test('shows a grey picture with transparency as it is', async () => {
    const grey = await sharp({ create: { width: 9, height: 9, channels: 4, background: '#8888' } })
      .toColourspace('b-w')
      .png()
      .toBuffer();
    const { data } = await sharp(await renderPreview(grey))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 4)].every((value) => Math.abs(value - 0x88) < 3)).toBe(true);
  });
});

describe('the facts of a picture', () => {
  const factsOf = async (exif: Record<string, Record<string, string>>) => {
    const bytes = await picture(40, 20).withExif(exif).jpeg().toBuffer();
    return (await renderAll(bytes)).facts;
  };
  const NONE = { ...NO_FACTS, width: 40, height: 20, placeholder: expect.any(String) };

  test('are its size, upright, the camera and the time by its clock', async () => {
    const bytes = await picture(40, 20)
      .withExif({
        IFD0: { Make: 'Canon', Model: 'Canon EOS R5', DateTime: '2024:01:01 00:00:00' },
        IFD2: { DateTimeOriginal: '2019:07:04 12:34:56', OffsetTimeOriginal: '-03:30' },
      })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect((await renderAll(bytes)).facts).toEqual({
      width: 20,
      height: 40,
      takenAt: Date.UTC(2019, 6, 4, 12, 34, 56),
      takenOffset: -210,
      camera: 'Canon EOS R5',
      placeholder: expect.any(String),
      durationMs: null,
    });
    expect(await factsOf({ IFD0: { Make: 'NIKON', Model: 'Z 6' } })).toEqual({
      ...NONE,
      camera: 'NIKON Z 6',
    });
  });

  test.each([
    ['1826:06:01 12:00:00', Date.UTC(1826, 5, 1, 12)],
    ['1969:07:20 20:17:40', Date.UTC(1969, 6, 20, 20, 17, 40)],
    ['1980:01:01 00:00:01', Date.UTC(1980) + 1_000],
  ])('have the time %s of a scan', async (text, takenAt) => {
    expect(await factsOf({ IFD2: { DateTimeOriginal: text } })).toEqual({ ...NONE, takenAt });
  });

  test('are its size alone when it has no others', async () => {
    expect((await renderAll(await picture(40, 20).png().toBuffer())).facts).toEqual(NONE);
  });

  test('include the picture in a few pixels', async () => {
    const { facts } = await renderAll(await picture().jpeg().toBuffer());
    const bytes = Buffer.from(facts.placeholder ?? '', 'base64');
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 24, height: 12 });
    expect([await pixel(bytes, 2, 6), await pixel(bytes, 21, 6)]).toEqual([
      [1, 0, 0],
      [0, 0, 1],
    ]);
    expect(bytes.length).toBeLessThan(200);
  });

  const broken: Record<string, Record<string, Record<string, string>>> = {
    'a clock that was never set': { IFD2: { DateTimeOriginal: '0000:00:00 00:00:00' } },
    'the start of the clock of QuickTime': { IFD2: { DateTimeOriginal: '1904:01:01 00:00:00' } },
    'the start of the clock of Unix': { IFD2: { DateTimeOriginal: '1970:01:01 00:00:00' } },
    'the start of the clock of DOS': { IFD2: { DateTimeOriginal: '1980:01:01 00:00:00' } },
    'the start of the clock of a camera': { IFD2: { DateTimeOriginal: '2000:01:01 00:00:00' } },
    'a time before the first photograph': { IFD2: { DateTimeOriginal: '1825:12:31 23:59:59' } },
    'a time that is none': { IFD2: { DateTimeOriginal: 'yesterday' } },
    'a day that does not exist': { IFD2: { DateTimeOriginal: '2019:02:31 12:00:00' } },
    'a month that does not exist': { IFD2: { DateTimeOriginal: '2019:13:01 12:00:00' } },
    'an hour that does not exist': { IFD2: { DateTimeOriginal: '2019:07:04 25:00:00' } },
    'an offset without a time': { IFD2: { OffsetTimeOriginal: '+02:00' } },
    'a camera of blanks': { IFD0: { Make: '   ', Model: ' ' } },
  };
  for (const [name, exif] of Object.entries(broken))
    test(`leave out ${name}`, async () => expect(await factsOf(exif)).toEqual(NONE));

  test('have a camera of limited length without control characters', async () => {
    const { camera } = await factsOf({ IFD0: { Make: 'Camera\u0007 of', Model: 'x'.repeat(5_000) } });
    expect(camera).toBe(`Camera of ${'x'.repeat(90)}`);
  });
});

describe('there is no thumbnail of', () => {
  const hostile: Record<string, [() => Promise<Uint8Array>, string]> = {
    'an empty file': [async () => new Uint8Array(), 'not a raster picture'],
    'a decompression bomb of 50,000 × 50,000 pixels': [async () => pngBomb(50_000, 50_000), 'pixel'],
    'a truncated JPEG': [async () => (await picture().jpeg().toBuffer()).subarray(0, 5_000), ''],
    'a truncated PNG': [async () => (await picture().png().toBuffer()).subarray(0, 700), ''],
    'a PNG with wrong checksums': [
      async () => {
        const bytes = await picture().png().toBuffer();
        bytes.fill(0x55, 60, 200);
        return bytes;
      },
      '',
    ],
    'a TIFF with four billion values in a tag': [async () => tiffWithHugeTag(), ''],
    'a HEIC that consists of itself': [() => heicWith(982, 0, 2), ''],
    'a HEIC of four billion pixels a side': [() => heicWith(415, ...Array(8).fill(255)), ''],
    'a HEIC of 10,000 × 10,000 pixels from one small tile': [() => heicWith(95, 39, 16, 39, 16), ''],
    'a HEIC with 65,536 tiles': [() => heicWith(93, 255, 255), ''],
    'a HEIC whose bytes are elsewhere': [() => heicWith(127, 255, 255, 255, 255), ''],
    'a truncated HEIC': [async () => (await heic.bytes()).subarray(0, 1_200), ''],
    'an SVG': [
      async () =>
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>'),
      'not a raster picture',
    ],
    'an SVG behind the first bytes of a GIF': [
      async () => Buffer.from('GIF89a<svg xmlns="http://www.w3.org/2000/svg"/>'),
      '',
    ],
    'a picture of a format that is not taken': [
      async () => Buffer.from('P6 2 2 255 123456789012'),
      'not a raster picture',
    ],
    'bytes behind a JPEG signature': [
      async () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(5_000, 7)]),
      '',
    ],
  };
  for (const [name, [make, reason]] of Object.entries(hostile)) {
    test(name, async () => {
      const error = await render(await make()).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(NoRendition);
      expect(error.message).toContain(reason);
    });
  }

  test('a truncated picture, which keeps the facts of its header', async () => {
    const jpeg = await picture()
      .withExif({ IFD0: { Model: 'Camera' } })
      .jpeg()
      .toBuffer();
    const error = await render(jpeg.subarray(0, 3_000)).catch((thrown) => thrown);
    expect(error.facts).toEqual({ ...NO_FACTS, width: 1200, height: 600, camera: 'Camera' });
  });

  test('the thumbnail of a picture with an appended script has no script', async () => {
    const polyglot = Buffer.concat([
      await picture().gif().toBuffer(),
      Buffer.from('<script>alert(1)</script>'),
    ]);
    expect(Buffer.from(await render(polyglot)).includes('script')).toBe(false);
  });

  test('a picture that takes too long or too much memory to decode', async () => {
    const large = await sharp({ create: { width: 6_000, height: 6_000, channels: 3, background: '#0f0' } })
      .png({ progressive: true })
      .toBuffer();
    expect(await render(large)).toBeInstanceOf(Uint8Array);
    const late = await render(large, { ms: 5 }).catch((thrown) => thrown);
    expect(late).toEqual(new NoRendition('the job was ended: time'));
    const tooLarge = await render(large, { memory: 110 * 1024 ** 2 }).catch((thrown) => thrown);
    expect(tooLarge).toBeInstanceOf(NoRendition);
  });

  test('a picture that may not continue', async () => {
    const large = await picture(6_000, 6_000).png().toBuffer();
    const interrupted = shared.render({ ...pictureOf(large), mayContinue: () => false }, ['thumbnail']);
    await expect(interrupted).rejects.toBeInstanceOf(JobInterrupted);
  });

  test('a file whose reading fails', async () => {
    const chunks = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error('no such blob')),
    });
    const broken = { ...pictureOf(new Uint8Array(9)), chunks };
    await expect(shared.render(broken, ['thumbnail'])).rejects.toThrow('no such blob');
  });
});
