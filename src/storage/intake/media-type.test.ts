import { expect, spyOn, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { fc } from '../../../test/harness/properties.ts';
import { detectMediaType, extensionOf, SAMPLE_BYTES } from './media-type.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const PAGE = '<!DOCTYPE html><script>alert(1)</script>';

test.each([
  ['a picture', PNG, 'text/html', 'a.html', 'image/png'],
  ['text said to be a picture', 'just words', 'image/png', 'a.png', 'text/plain'],
  ['text', 'just words', null, 'a', 'text/plain'],
  ['text in Latin-1', Buffer.from('d\xe9j\xe0 vu', 'latin1'), null, 'a.txt', 'text/plain'],
  ['text in UTF-16', Buffer.from('\ufeffwords', 'utf16le'), null, 'a.txt', 'text/plain'],
  ['Markdown by the claim', '# Title', 'text/markdown', 'a', 'text/markdown'],
  ['Markdown by the name', '# Title', 'application/octet-stream', 'a.md', 'text/markdown'],
  ['JSON by the claim', '{"a": 1}', 'application/json', 'a', 'application/json'],
  ['comma separated values', 'a,b\n1,2\n', 'text/plain', 'a.csv', 'text/csv'],
  ['a page said to be text', PAGE, 'text/plain', 'a.txt', 'text/html'],
  ['a page said to be a picture', PAGE, 'image/png', 'a.png', 'text/html'],
  ['a page', PAGE, 'text/html', 'a.html', 'text/html'],
  [
    'an XHTML page',
    `<?xml version="1.0"?><html/>`,
    'application/xhtml+xml',
    'a.xhtml',
    'application/xhtml+xml',
  ],
  ['SVG said to be a picture', SVG, 'image/png', 'a.png', 'image/svg+xml'],
  [
    'SVG behind a declaration',
    `<?xml version="1.0"?>\n<!-- a -->\n${SVG}`,
    'text/xml',
    'a.xml',
    'image/svg+xml',
  ],
  ['other XML', '<?xml version="1.0"?><a/>', null, 'a', 'application/xml'],
  ['PDF', '%PDF-1.7\n%%EOF', 'text/plain', 'a.txt', 'application/pdf'],
  ['words that begin like a bitmap', 'BMW builds cars', null, 'a.txt', 'text/plain'],
  ['unknown bytes', Buffer.from([1, 2, 3, 0, 255]), 'text/html', 'a.html', 'application/octet-stream'],
  ['a video by its name only', 'words', 'video/mp4', 'a.ts', 'text/plain'],
  ['nothing', '', 'text/plain', 'a.txt', 'text/plain'],
  ['nothing, said to be a picture', '', 'image/png', 'a.png', 'application/octet-stream'],
  ['an endless claim', 'words', `text/${'x'.repeat(200)}`, 'a', 'text/plain'],
])('%s', async (_, bytes, mediaType, fileName, detected) => {
  expect(await detectMediaType(Buffer.from(bytes as string), { mediaType, fileName })).toBe(detected);
});

/** A picture whose pixels do not fit into a sample. */
function manyPixels() {
  const [width, height, channels] = [200, 150, 3] as const;
  return sharp(randomBytes(width * height * channels), { raw: { width, height, channels } });
}

const box = (type: string, body: Uint8Array) => {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(8 + body.byteLength);
  return Buffer.concat([size, Buffer.from(type), body]);
};
const zipped = (name: string, body: Uint8Array) => {
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04');
  for (const at of [18, 22]) header.writeUInt32LE(body.byteLength, at);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name), body]);
};
const LONG = randomBytes(2 * SAMPLE_BYTES);

test.each([
  ['TIFF', 'image/tiff', () => manyPixels().tiff({ compression: 'none' }).toBuffer()],
  ['BigTIFF', 'image/tiff', () => manyPixels().tiff({ compression: 'none', bigtiff: true }).toBuffer()],
  ['TIFF of Macintosh', 'image/tiff', () => Buffer.concat([Buffer.from('MM\0*\0\x09\0\0'), LONG])],
  ['Canon raw', 'image/x-canon-cr2', () => Buffer.concat([Buffer.from('II*\0\x10\0\0\0CR\x02\0'), LONG])],
  [
    'Nikon raw',
    'image/x-nikon-nef',
    () => Buffer.concat([Buffer.from('MM\0*\0\0\0\x08\0\x1c\0\xfe', 'latin1'), LONG]),
  ],
  ['MP3 behind a long tag', 'audio/mpeg', () => Buffer.concat([Buffer.from('ID3\x03\0\0\0\x08\0\0'), LONG])],
  [
    'MP4',
    'video/mp4',
    () => Buffer.concat([box('ftyp', Buffer.from('isom\0\0\x02\0isom')), box('mdat', LONG)]),
  ],
  ['MOV', 'video/quicktime', () => Buffer.concat([box('wide', new Uint8Array()), box('mdat', LONG)])],
  [
    'HEIC',
    'image/heic',
    () => Buffer.concat([box('ftyp', Buffer.from('heic\0\0\0\0mif1')), box('meta', LONG)]),
  ],
  [
    'OpenDocument',
    'application/vnd.oasis.opendocument.text',
    () =>
      Buffer.concat([
        zipped('mimetype', Buffer.from('application/vnd.oasis.opendocument.text')),
        zipped('content.xml', LONG),
      ]),
  ],
])('%s larger than the sample', async (_, detected, bytes) => {
  const sample = (await bytes()).subarray(0, SAMPLE_BYTES);
  expect(sample.byteLength).toBe(SAMPLE_BYTES);
  expect(await detectMediaType(sample, { mediaType: null, fileName: 'a' })).toBe(detected);
});

test.each([
  ['a.DOCX', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['a.xlsx', 'application/zip'],
  ['a', 'application/zip'],
])('a text document of LibreOffice with large pictures, named %s', async (fileName, detected) => {
  const sample = zipped('word/document.xml', LONG).subarray(0, SAMPLE_BYTES);
  expect(await detectMediaType(sample, { mediaType: null, fileName })).toBe(detected);
});

test.each([
  ['damaged', [0xff, 0xff, 0xff, 0xff]],
  ['cut off', [0x4b, 0x4c]],
  ['followed by other data', [0x4b, 0x04, 0x00, 0x01, 0x02]],
])('a text document with compressed data that is %s', async (_, compressed) => {
  const header = zipped('[Content_Types].xml', Buffer.from(compressed));
  // APPNOTE.TXT §4.4.5: deflated.
  header.writeUInt16LE(8, 8);
  const sample = Buffer.concat([header, zipped('word/document.xml', Buffer.from('words'))]);
  expect(await detectMediaType(sample, { mediaType: null, fileName: 'a.docx' })).toBe(
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  );
  expect(await detectMediaType(sample, { mediaType: null, fileName: 'a' })).toBe('application/zip');
});

test.each([
  [1_000, 'application/java-archive'],
  [20_000, 'application/zip'],
])('a Java archive is known by its first files: after %d bytes, it is %s', async (size, detected) => {
  const first = zipped('a', Buffer.alloc(size));
  const sample = Buffer.concat([first, zipped('META-INF/MANIFEST.MF', Buffer.from('words'))]);
  expect(await detectMediaType(sample, { mediaType: null, fileName: 'a' })).toBe(detected);
});

test.each([
  ['', []],
  [' after a byte order mark', [0xef, 0xbb, 0xbf]],
  [' after ID3 tags', [...Buffer.from('ID3'), 4, 0, 0, 0, 0, 0, 0]],
])('gzip%s is not unpacked', async (_, start) => {
  const unpack = spyOn(globalThis, 'DecompressionStream');
  const sample = Buffer.concat([Buffer.from(start), gzipSync(zipped('a', LONG))]);
  expect(await detectMediaType(sample, { mediaType: null, fileName: 'a' })).toBe('application/gzip');
  expect(unpack).not.toHaveBeenCalled();
  unpack.mockRestore();
});

test.each([
  ['a.DOC', 'application/msword'],
  ['a.xls', 'application/vnd.ms-excel'],
  ['a.html', 'application/x-cfb'],
])('a compound file named %s', async (fileName, detected) => {
  const sample = Buffer.alloc(SAMPLE_BYTES);
  sample.write('d0cf11e0a1b11ae1', 'hex');
  expect(await detectMediaType(sample, { mediaType: 'text/html', fileName })).toBe(detected);
});

test('bytes that are not text never take their type from a claim', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.string(), async (bytes, fileName) => {
      // A byte order mark of UTF-16 makes any pair of bytes a character.
      fc.pre(Math.min(bytes[0] ?? 0, bytes[1] ?? 0) < 0xfe);
      const sample = Buffer.concat([bytes, Buffer.from([0])]);
      expect(await detectMediaType(sample, { mediaType: 'text/x-claimed', fileName })).not.toBe(
        'text/x-claimed',
      );
    }),
    { numRuns: 1_000 },
  );
});

test('the first element after comments is found in linear time', async () => {
  const typeOf = (text: string) => detectMediaType(Buffer.from(text), { mediaType: null, fileName: 'x' });
  for (let comments = 30; comments < 60; comments++)
    expect(await typeOf(`${'<!---->'.repeat(comments)}x`)).toBe('text/plain');
  expect(await typeOf('<?xml version="1.0"?> <!-- a --> <!----><html>')).toBe('text/html');
  expect(await typeOf('<!-- a --> x --> <html>')).toBe('text/plain');
});

test('the extension of a long name is found in linear time', () => {
  for (const [name, extension] of [
    ['x'.repeat(1_000_000), ''],
    ['.x'.repeat(500_000), 'docx'],
  ])
    expect(extensionOf(`${name}.${extension}`)).toBe(extension ?? '');
});
