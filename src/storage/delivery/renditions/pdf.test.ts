import { afterAll, describe, expect, test } from 'bun:test';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { ENCRYPTED, pdf } from '../../../../test/harness/pdf.ts';
import { MB } from '../../../kernel/bytes.ts';
import { Unavailable } from '../../../kernel/errors/unavailable.ts';
import { createLog } from '../../../kernel/log.ts';
import { NO_FACTS, type RenditionKind } from '../../tree/files/file.ts';
import { NoRendition } from './decoder.ts';
import { createRenderer, type Rendered } from './renderer.ts';

const LOG = createLog('silent');
const shared = createRenderer(LOG);
afterAll(shared.stop);

/** Renders a file, again when the machine is too busy, as the server does. */
async function render(
  bytes: Uint8Array<ArrayBuffer>,
  limits?: object,
  kinds: readonly RenditionKind[] = ['thumbnail', 'preview'],
): Promise<Rendered[]> {
  const renderer = limits ? createRenderer(LOG, limits) : shared;
  const picture = {
    mimeType: 'application/pdf',
    size: bytes.length,
    chunks: new Blob([bytes]).stream(),
    owner: 'ada',
  };
  try {
    return await renderer.render(picture, kinds);
  } catch (error) {
    if (error instanceof Unavailable) return await render(bytes, limits, kinds);
    throw error;
  } finally {
    if (limits) renderer.stop();
  }
}

/** Width, height, and the colors at the start and the end of the row in the middle: 1 = full. */
async function looks(bytes: Uint8Array | undefined) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const row = Math.floor(info.height / 2) * info.width * info.channels;
  const pixel = (at: number) => [...data.subarray(at, at + 3)].map((value) => Math.round(value / 255));
  return [info.width, info.height, pixel(row), pixel(row + (info.width - 1) * info.channels)];
}
type Look = Awaited<ReturnType<typeof looks>>;
const RED = [1, 0, 0];
const BLUE = [0, 0, 1];
const WHITE = [1, 1, 1];

describe('a PDF file', () => {
  test('is shown by its first page, without further facts', async () => {
    const [thumbnail, preview] = await render(pdf());
    expect([thumbnail?.kind, preview?.kind]).toEqual(['thumbnail', 'preview']);
    expect(thumbnail?.facts).toEqual({ ...NO_FACTS, placeholder: expect.any(String) });
    expect(await looks(thumbnail?.bytes)).toEqual([512, 256, RED, BLUE]);
    expect(await looks(preview?.bytes)).toEqual([2048, 1024, RED, BLUE]);
  });

  const shown: [string, Parameters<typeof pdf>[0], Look][] = [
    ['turned', { page: '/Rotate 180' }, [512, 256, BLUE, RED]],
    ['on white', { content: '' }, [512, 256, WHITE, WHITE]],
    ['with a script', { catalog: '/OpenAction<</S/JavaScript/JS(while(1){})>>' }, [512, 256, RED, BLUE]],
    ['with a page of 700 kilometres', { box: '0 0 2000000000 9', content: '' }, [512, 1, WHITE, WHITE]],
    ['with a narrow page', { box: '0 0 1 100000', content: '' }, [1, 512, WHITE, WHITE]],
    ['with half a million dictionaries', { catalog: `/X ${'<</A '.repeat(500_000)}` }, [512, 256, RED, BLUE]],
  ];
  for (const [name, parts, look] of shown)
    test(`is shown ${name}`, async () => {
      const [thumbnail] = await render(pdf(parts));
      expect(await looks(thumbnail?.bytes)).toEqual(look);
    });

  test('of less than 1 KB that draws noise has a small thumbnail of a low quality, and no preview', async () => {
    const noise = '{12.9898 mul exch 78.233 mul add sin 43758.5453 mul dup floor sub dup dup}';
    const ranges = '/Domain[0 512 0 512]/Range[0 1 0 1 0 1]';
    const file = pdf({
      box: '0 0 512 512',
      page: '/Resources<</Shading<</S 5 0 R>>>>',
      content: '/S sh',
      objects: `5 0 obj<</ShadingType 1/ColorSpace/DeviceRGB/Domain[0 512 0 512]/Function 6 0 R>>endobj
6 0 obj<</FunctionType 4${ranges}/Length ${noise.length}>>stream\n${noise}\nendstream endobj\n`,
    });
    const [thumbnail] = await render(file, undefined, ['thumbnail']);
    expect([file.length < 1_000, (thumbnail?.bytes.length ?? 0) <= 65_536]).toEqual([true, true]);
    await expect(render(file)).rejects.toThrow('too many details');
    // One attempt takes 4 s, or 35 s until it ends on a busy machine.
  }, 400_000);

  const blanks = pdf({ content: deflateSync(Buffer.alloc(150 * MB, ' ')), contents: '/Filter/FlateDecode' });
  const hostile: [string, Uint8Array<ArrayBuffer>, string, object?][] = [
    ['with a password', pdf({ trailer: ENCRYPTED }), 'Password required'],
    ['that is cut off', pdf().subarray(0, 150), 'corrupted'],
    ['whose pages are their own parent', pdf({ kids: '2 0 R' }), 'size'],
    ['without a page', pdf({ kids: '' }), 'size'],
    ['that takes too long', blanks, 'time', { ms: 5 }],
    ['that takes too much memory', blanks, 'memory', { memory: 128 * MB }],
  ];
  for (const [name, bytes, reason, limits] of hostile)
    test(`${name} has no rendition`, async () => {
      const error = await render(bytes, limits).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(NoRendition);
      expect(error.message).toContain(reason);
    });
});
