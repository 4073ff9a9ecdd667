import { describe, expect, test } from 'bun:test';
import { fc } from '../../../../test/harness/properties.ts';
import { metadata } from '../../../../test/harness/tus.ts';
import { newId } from '../../../kernel/ids.ts';
import { Problem } from '../../../kernel/problem.ts';
import { readMetadata, withoutPassword } from './metadata.ts';

const RUNS = { numRuns: 1_000 };
const refusal = (header: string) => {
  try {
    readMetadata(header);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(Problem);
    return (error as Problem).fields?.[0]?.path;
  }
};

describe('Upload-Metadata', () => {
  test('returns any name, with any other keys', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .map((text) => text.replace(/[\p{Cc}/\\]/gu, '').toWellFormed());
    const keys = fc
      .stringMatching(/^[a-z-]{1,12}$/)
      .filter((key) => !['filename', 'visibility', 'filetype'].includes(key));
    fc.assert(
      fc.property(
        name,
        fc.uniqueArray(fc.tuple(keys, fc.uint8Array({ maxLength: 9 })), { selector: ([key]) => key }),
        (text, others) => {
          fc.pre(text.trim() !== '' && !/^\.{1,2}$/.test(text));
          const half = others.length >> 1;
          const pairs = (list: typeof others) => metadata(Object.fromEntries(list));
          const header = [
            pairs(others.slice(0, half)),
            metadata({ filename: text }),
            pairs(others.slice(half)),
          ]
            .filter(Boolean)
            .join(',');
          expect(readMetadata(header)).toMatchObject({
            fileName: text,
            folderId: 'root',
            replaceFileId: null,
            visibility: undefined,
            onConflict: 'keep',
          });
        },
      ),
      RUNS,
    );
  });

  test('rejects a name that is not UTF-8', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 12 }), (bytes) => {
        const text = Buffer.from(bytes).toString();
        const isText = Buffer.from(text).equals(Buffer.from(bytes));
        const found = refusal(metadata({ filename: bytes }));
        if (!isText) expect(found).toBe('filename');
        else if (found === null)
          expect(readMetadata(metadata({ filename: bytes })).fileName).toBe(text.replace(/^.*[/\\]/s, ''));
      }),
      RUNS,
    );
  });

  test('reports every error by its key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (header) => {
        expect([
          null,
          'filename',
          'folderId',
          'replaceFileId',
          'visibility',
          'filetype',
          'onConflict',
        ]).toContain(refusal(header) ?? null);
      }),
      RUNS,
    );
  });

  test.each([
    ['', 'filename'],
    ['filename', 'filename'],
    [metadata({ filename: 'a', folderId: 'x' }), 'folderId'],
    [metadata({ filename: 'a', replaceFileId: 'root' }), 'replaceFileId'],
    [metadata({ filename: 'a', visibility: 'public' }), 'visibility'],
    [metadata({ filename: 'a', visibility: '1', filePassword: '' }), 'filePassword'],
    [metadata({ filename: 'a', file_password: 'x' }), 'file_password'],
    [metadata({ filename: 'a', FilePasword: 'x' }), 'FilePasword'],
    [metadata({ filename: 'a', acesskeys: 'x' }), 'acesskeys'],
    [metadata({ filename: 'a', Password: 'x' }), 'Password'],
    [metadata({ filename: 'a', expires: 'x' }), 'expires'],
    [metadata({ filename: 'a', FileName: 'b' }), 'filename'],
    [metadata({ replaceFileId: newId(), filePassword: 'x' }), 'filePassword'],
    [metadata({ filename: 'a', filetype: Buffer.from([0xff]) }), 'filetype'],
    [metadata({ replaceFileId: newId(), visibility: '0' }), 'visibility'],
    [metadata({ filename: 'a', visibility: '1', expiresAt: '2030-01-01T00:00:00Z' }), 'expiresAt'],
    [metadata({ filename: 'a', visibility: '1', MaxDownloads: '1' }), 'MaxDownloads'],
  ])('%p is rejected for its %s', (header, key) => {
    expect(refusal(header)).toBe(key);
  });

  test('accepts the secrets of a file, and keys in any letter case', () => {
    const header = metadata({ FileName: 'a', FILEPASSWORD: 'pass word', accesskey: 'true' });
    expect(readMetadata(header)).toMatchObject({
      fileName: 'a',
      filePassword: 'pass word',
      withAccessKey: true,
    });
    expect(withoutPassword(header)).toBe(metadata({ FileName: 'a', accesskey: 'true' }));
  });

  test('accepts ids in either case, and ignores an invalid media type', () => {
    const [folderId, replaceFileId] = [newId(), newId()];
    const header = metadata({
      folderId: folderId.toUpperCase(),
      replaceFileId: replaceFileId.toUpperCase(),
      relativePath: 'a/b',
      filetype: ' Text/HTML; x',
    });
    expect(readMetadata(header)).toEqual({
      folderId,
      replaceFileId,
      unknown: ['relativePath'],
      visibility: undefined,
      onConflict: 'keep',
      filePassword: null,
      withAccessKey: false,
      fileName: null,
      mediaType: 'text/html',
    });
    expect(readMetadata(metadata({ filename: 'a', filetype: 'nothing' })).mediaType).toBeNull();
  });
});
