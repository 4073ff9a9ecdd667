import { describe, expect, test } from 'bun:test';
import { decodeText } from './decode-text.ts';

const utf8 = new TextEncoder().encode('Grüße aus München 👋');

describe('a text', () => {
  test.each([
    ['UTF-8', [...utf8]],
    ['UTF-8 with a byte order mark', [0xef, 0xbb, 0xbf, ...utf8]],
    ['UTF-16, little-endian', [0xff, 0xfe, ...Buffer.from('Grüße aus München 👋', 'utf16le')]],
    ['UTF-16, big-endian', [0xfe, 0xff, ...Buffer.from('Grüße aus München 👋', 'utf16le').swap16()]],
  ])('is decoded from %s', (_, bytes) => {
    expect(decodeText(new Uint8Array(bytes), true)).toBe('Grüße aus München 👋');
  });

  test('is decoded from windows-1252 if it is not UTF-8', () => {
    const latin1 = new Uint8Array(Buffer.from('Grüße aus München: 5 \x80', 'latin1'));
    expect(decodeText(latin1, true)).toBe('Grüße aus München: 5 €');
    expect(decodeText(latin1, false)).toBe('Grüße aus München: 5 €');
  });

  test('may end within a character if the file has more', () => {
    const part = utf8.subarray(0, -1);
    expect(decodeText(part, false)).toBe('Grüße aus München ');
    expect(decodeText(part, true)).toStartWith('GrÃ¼ÃŸe');
  });
});
