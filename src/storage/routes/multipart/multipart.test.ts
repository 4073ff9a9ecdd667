import { describe, expect, test } from 'bun:test';
import { fc } from '../../../../test/harness/properties.ts';
import {
  MultipartError,
  multipartBoundary,
  type PartHead,
} from '../../../kernel/http/bodies/multipart-fields.ts';
import { createMultipartParser } from './multipart.ts';

interface Part extends PartHead {
  body: string;
}

/** Parses `body`, cut at `cuts`. */
function parse(body: Buffer, boundary: string, cuts: readonly number[] = []): Part[] {
  const parts: Part[] = [];
  const parser = createMultipartParser(boundary, (head) => {
    const chunks: Buffer[] = [];
    return {
      write: (bytes) => void chunks.push(Buffer.from(bytes)),
      end: () => void parts.push({ ...head, body: Buffer.concat(chunks).toString('latin1') }),
    };
  });
  const ends = [...new Set(cuts)].filter((cut) => cut < body.length).sort((a, b) => a - b);
  let start = 0;
  for (const end of [...ends, body.length]) {
    parser.write(body.subarray(start, end));
    start = end;
  }
  parser.end();
  return parts;
}

const escaped = (text: string) => text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

function build(boundary: string, parts: readonly Part[]): Buffer {
  const pieces = parts.map(({ name, fileName, mediaType, body }) =>
    Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"${
          fileName === null ? '' : `; filename="${escaped(fileName)}"`
        }\r\n${mediaType === null ? '' : `Content-Type: ${mediaType}\r\n`}\r\n`,
      ),
      Buffer.from(body, 'latin1'),
      Buffer.from('\r\n'),
    ]),
  );
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

const BOUNDARY = 'x-b';
// Any characters, except those that the percent escapes of browsers make ambiguous.
const text = fc
  .string({ unit: 'binary', maxLength: 20 })
  .map((value) => value.replaceAll('%', '').toWellFormed());
// Line ends, dashes and the boundary's own letters, so that incomplete delimiters are frequent.
const bytes = fc
  .array(
    fc.constantFrom(
      '\r',
      '\n',
      '\r\n',
      '\r\n-',
      '\r\n--',
      '\r\n--x',
      '\r\n--x-',
      '-',
      'x',
      'b',
      '\0',
      '\xff',
      'some text',
    ),
    {
      maxLength: 30,
    },
  )
  .map((pieces) => pieces.join('').replaceAll(`--${BOUNDARY}`, ''));
const part: fc.Arbitrary<Part> = fc.record({
  name: text.map((value) => value.replaceAll('\\', '')),
  fileName: fc.option(text.map((value) => value.replaceAll('\\', ''))),
  mediaType: fc.option(fc.constantFrom('text/plain', 'application/octet-stream', 'image/svg+xml')),
  body: bytes,
});

describe('the multipart parser', () => {
  test('returns every part for any chunk boundaries', () => {
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 5 }),
        fc.array(fc.nat(1_500), { maxLength: 40 }),
        (parts, cuts) => {
          expect(parse(build(BOUNDARY, parts), BOUNDARY, cuts)).toEqual(parts);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('returns the same for every single boundary and for single bytes', () => {
    const parts: Part[] = [
      { name: 'originalName', fileName: null, mediaType: null, body: 'a.txt' },
      { name: 'file', fileName: 'ж日本.txt', mediaType: 'text/plain', body: 'some\r\n--x text\r' },
      { name: 'empty', fileName: '', mediaType: null, body: '' },
    ];
    const body = build(BOUNDARY, parts);
    for (let cut = 1; cut < body.length; cut++) expect(parse(body, BOUNDARY, [cut])).toEqual(parts);
    expect(parse(body, BOUNDARY, [...body.keys()])).toEqual(parts);
  });

  test('accepts a preamble, an epilogue and padded delimiters', () => {
    const body =
      'ignored\r\n--x-b \t\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--x-b--\r\nignored --x-b';
    expect(parse(Buffer.from(body), BOUNDARY)).toEqual([
      { name: 'a', fileName: null, mediaType: null, body: '1' },
    ]);
  });

  test.each([
    ['form-data; name="f"; filename="a\\"b.txt"', 'a"b.txt'],
    ['form-data; name="f"; filename="C:\\dir\\a.txt"', 'C:\\dir\\a.txt'],
    ['form-data; name="f"; filename="a;b=c.txt"', 'a;b=c.txt'],
    ['form-data; name=f; filename=plain.txt', 'plain.txt'],
    [`form-data; name="f"; filename="_.txt"; filename*=UTF-8''%E6%97%A5.txt`, '日.txt'],
    [`form-data; name="f"; filename="fallback.txt"; filename*=UTF-8''%ZZ`, 'fallback.txt'],
    ['Form-Data; Name="f"; FileName="a.txt"', 'a.txt'],
  ])('%p', (disposition, fileName) => {
    const body = `--x-b\r\ncontent-disposition: ${disposition}\r\n\r\n\r\n--x-b--`;
    expect(parse(Buffer.from(body), BOUNDARY)).toEqual([{ name: 'f', fileName, mediaType: null, body: '' }]);
  });

  test.each([
    ['no closing delimiter', '--x-b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'],
    ['no delimiter at all', 'a=1&b=2'],
    ['nothing', ''],
    ['no name', '--x-b\r\nContent-Disposition: form-data\r\n\r\n1\r\n--x-b--'],
    ['no disposition', '--x-b\r\n\r\n1\r\n--x-b--'],
    ['another disposition', '--x-b\r\nContent-Disposition: attachment; name="a"\r\n\r\n1\r\n--x-b--'],
    ['text after a delimiter', '--x-bc\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x-b--'],
    ['an endless head', `--x-b\r\nX: ${'y'.repeat(20_000)}`],
    ['endless padding', `--x-b${' '.repeat(1_000)}`],
    [
      'too many parts',
      `${'--x-b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(101)}--x-b--`,
    ],
  ])('rejects a body with %s', (_, body) => {
    expect(() => parse(Buffer.from(body), BOUNDARY)).toThrow(MultipartError);
  });

  test('rejects part headers that are not UTF-8', () => {
    const body = Buffer.from(
      '--x-b\r\nContent-Disposition: form-data; name="a"; filename="\xe9"\r\n\r\n1\r\n--x-b--',
      'latin1',
    );
    expect(() => parse(body, BOUNDARY)).toThrow('not in UTF-8');
  });

  test('throws only MultipartError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.array(fc.nat(300)), (body, cuts) => {
        try {
          parse(Buffer.concat([Buffer.from('--x-b\r\n'), body]), BOUNDARY, cuts);
        } catch (error) {
          expect(error).toBeInstanceOf(MultipartError);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

test.each([
  ['multipart/form-data; boundary=abc', 'abc'],
  ['Multipart/Form-Data; charset=utf-8; Boundary="a b"', 'a b'],
  ['multipart/form-data', null],
  ['multipart/form-data; boundary=', null],
  ['multipart/mixed; boundary=abc', null],
  ['application/json', null],
  [undefined, null],
])('multipartBoundary(%p)', (contentType, boundary) => {
  expect(multipartBoundary(contentType)).toBe(boundary);
});
