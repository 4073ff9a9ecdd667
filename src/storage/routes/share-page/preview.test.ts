import { describe, expect, test } from 'bun:test';
import type { BlobReader } from '../../blobs/small.ts';
import type { StoredFile } from '../../tree/files/file.ts';
import { previewKind, readableText, readPreview } from './preview.ts';

const file = {
  mimeType: 'image/png',
  sizeBytes: 1000,
  hasThumbnail: true,
  hasPreview: false,
  isCounted: false,
};

describe('previewKind', () => {
  test.each([
    ['image/png', 'image'],
    ['image/tiff', 'thumbnail'],
    ['image/svg+xml', 'image'],
    ['video/mp4', 'video'],
    ['audio/ogg', 'audio'],
    ['application/pdf', 'pdf'],
    ['text/markdown', 'text'],
    ['text/html', 'text'],
    ['application/json', 'text'],
    ['application/ld+json', 'text'],
    ['application/zip', 'thumbnail'],
  ])('displays %s as %s', (mimeType, kind) => {
    expect(previewKind({ ...file, mimeType })).toBe(kind as 'image');
  });

  test('never loads the file itself when downloads are limited', () => {
    for (const mimeType of ['image/png', 'video/mp4', 'text/plain', 'application/pdf']) {
      expect(previewKind({ ...file, mimeType, isCounted: true })).toBe('thumbnail');
      expect(previewKind({ ...file, mimeType, isCounted: true, hasThumbnail: false })).toBeNull();
    }
  });

  test('displays a picture by its preview, one that may be animated only if it is large', () => {
    const kindOf = (changes: object) => previewKind({ ...file, hasPreview: true, ...changes });
    expect(kindOf({ mimeType: 'image/jpeg' })).toBe('preview');
    expect(kindOf({ mimeType: 'image/tiff' })).toBe('preview');
    expect(kindOf({ mimeType: 'image/gif' })).toBe('image');
    expect(kindOf({ mimeType: 'image/gif', sizeBytes: 50e6 })).toBe('preview');
    expect(kindOf({ mimeType: 'text/plain' })).toBe('text');
    expect(kindOf({ isCounted: true })).toBe('thumbnail');
  });

  test('displays a large picture by its thumbnail, and nothing for an empty file', () => {
    expect(previewKind({ ...file, sizeBytes: 50e6 })).toBe('thumbnail');
    expect(previewKind({ ...file, sizeBytes: 50e6, hasThumbnail: false })).toBe('image');
    expect(previewKind({ ...file, sizeBytes: 0, hasThumbnail: false, mimeType: 'text/plain' })).toBeNull();
  });
});

describe('readableText', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);

  test('reads UTF-8 and UTF-16, without the byte order mark', () => {
    expect(readableText(bytes('Grüße 👋'), true)).toBe('Grüße 👋');
    expect(readableText(bytes('\ufeffmark'), true)).toBe('mark');
    expect(readableText(new Uint8Array([0xff, 0xfe, 0x48, 0, 0x69, 0]), true)).toBe('Hi');
    expect(readableText(new Uint8Array([0xfe, 0xff, 0, 0x48, 0, 0x69]), true)).toBe('Hi');
  });

  test('reads windows-1252', () => {
    expect(readableText(new Uint8Array(Buffer.from('Grüße aus München', 'latin1')), true)).toBe(
      'Grüße aus München',
    );
  });

  test('omits an incomplete last character', () => {
    expect(readableText(bytes('abc👋').subarray(0, 5), false)).toBe('abc');
  });

  test('rejects bytes that are not text', () => {
    expect(readableText(new Uint8Array([1, 2, 0, 3]), true)).toBeNull();
    const mixed = new Uint8Array(100).map((_, index) => (index % 4 === 0 ? 0x81 : 0xe9));
    expect(readableText(mixed, true)).toBeNull();
    expect(readableText(bytes(`${'Latin text with one '.repeat(5)}`), true)).not.toBeNull();
  });
});

test('a text waits for its time slice between reading and decoding', async () => {
  const calls: string[] = [];
  const blobs = {
    async read() {
      calls.push('read');
      return new TextEncoder().encode('Hello');
    },
  } as unknown as BlobReader;
  const none = { key: null, state: null };
  const text = { mimeType: 'text/plain', sizeBytes: 5, thumbnail: none, preview: none, maxDownloads: null };
  const preview = readPreview(blobs, text as unknown as StoredFile, async () => void calls.push('slice'));
  expect(await preview).toEqual({ kind: 'text', text: 'Hello', isWhole: true });
  expect(calls).toEqual(['read', 'slice']);
});
