import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layOutZip, type ZipEntry } from '../../src/storage/delivery/zip/zip.ts';
import { runProgram, testWith } from '../harness/programs.ts';
import { fc } from '../harness/properties.ts';

const MODIFIED = Date.UTC(2023, 6, 14, 9, 26, 53);
const contents: Record<string, string> = {
  'plain.txt': 'plain',
  'empty.bin': '',
  'отчёт/日本語 ünïcödé 👩‍🚀.md': '# Hallo',
  'a (2).txt': 'second',
  [`${'long '.repeat(40)}name.txt`]: 'x'.repeat(70_000),
  'empty folder/': '',
  'later than the timestamp can tell.txt': '2050',
};

const entries = Object.entries(contents).map(([path, content]) => ({
  path,
  size: Buffer.byteLength(content),
  crc32: Bun.hash.crc32(content),
  modified: content === '2050' ? Date.UTC(2050, 0, 2, 3, 4, 6) : MODIFIED,
}));

async function* open(member: ZipEntry, start: number, end: number): AsyncGenerator<Uint8Array> {
  yield Buffer.from(contents[member.path] ?? '').subarray(start, end);
}

const directory = mkdtempSync(join(tmpdir(), 'posthouse-zip-'));
const file = join(directory, 'archive.zip');
beforeAll(async () => {
  const zip = await layOutZip(entries, open);
  await Bun.write(file, Buffer.concat(await Array.fromAsync(zip.read(0, zip.length))));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** How each program unpacks `file` into the directory that it runs in the name of. */
const unpackers: Record<string, (to: string) => string[]> = {
  unzip: (to) => ['unzip', '-q', file, '-d', to],
  python3: (to) => ['python3', '-m', 'zipfile', '-e', file, to],
  bsdtar: (to) => ['bsdtar', '-xf', file, '-C', to],
  '7zz': (to) => ['7zz', 'x', '-bd', file, `-o${to}`],
  jar: (to) => ['sh', '-c', 'cd "$0" && jar xf "$1"', to, file],
};

describe('a ZIP file', () => {
  for (const [program, words] of Object.entries(unpackers)) {
    testWith(program, 'unpacks it, byte for byte', async () => {
      const to = join(directory, program);
      mkdirSync(to);
      await runProgram(...words(to));
      for (const [path, content] of Object.entries(contents)) {
        if (path.endsWith('/')) expect(statSync(join(to, path)).isDirectory()).toBe(true);
        else expect(readFileSync(join(to, path), 'utf8')).toBe(content);
      }
      // These leave the dates out, or take them for the local time of the entry without its extra field.
      if (!['python3', 'jar'].includes(program)) {
        expect(statSync(join(to, 'plain.txt')).mtimeMs).toBe(MODIFIED);
        expect(statSync(join(to, 'later than the timestamp can tell.txt')).mtimeMs).toBe(
          Date.UTC(2050, 0, 2, 3, 4, 6),
        );
      }
    });
  }

  testWith('unzip', 'finds no error', async () => {
    expect(await runProgram('unzip', '-t', file)).toContain('No errors detected in compressed data');
  });

  testWith('zip', 'finds no error', async () => {
    expect(await runProgram('zip', '-T', file)).toContain('OK');
  });

  testWith('zipinfo', 'shows the given dates, permissions and sizes', async () => {
    const lines = (await runProgram('zipinfo', '-T', file)).split('\n');
    expect(lines.find((line) => line.endsWith(' plain.txt'))).toBe(
      '-rw-r--r--  4.5 unx        5 bx stor 20230714.092653 plain.txt',
    );
    expect(lines.find((line) => line.endsWith(' empty folder/'))).toStartWith('drwxr-xr-x');
  });

  testWith('python3', 'reads 1,000 archives with arbitrary names, bytes and dates', async () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .map((text) => text.replace(/[\p{Cc}/\\]/gu, '_').toWellFormed());
    const member = fc.record({
      folders: fc.array(name, { maxLength: 3 }),
      name,
      bytes: fc.uint8Array({ maxLength: 300 }),
      modified: fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2120, 0, 1) }),
    });
    const made: { path: string; content: string }[][] = [];
    const to = join(directory, 'many');
    mkdirSync(to);
    for (const [index, members] of fc.sample(fc.array(member, { maxLength: 6 }), 1_000).entries()) {
      const entries = members.map(({ folders, name, bytes, modified }, place) => ({
        path: [place, ...folders, name].join('/'),
        size: bytes.length,
        crc32: Bun.hash.crc32(bytes),
        modified,
        bytes,
      }));
      const zip = await layOutZip(entries, async function* ({ bytes }, start, end) {
        yield bytes.subarray(start, end);
      });
      await Bun.write(
        join(to, `${index}.zip`),
        Buffer.concat(await Array.fromAsync(zip.read(0, zip.length))),
      );
      made.push(entries.map(({ path, bytes }) => ({ path, content: Buffer.from(bytes).toString('base64') })));
    }
    await Bun.write(join(to, 'made.json'), JSON.stringify(made));
    const script = `
import base64, json, sys, zipfile
wrong = []
for index, members in enumerate(json.load(open(sys.argv[1] + '/made.json'))):
  with zipfile.ZipFile(f'{sys.argv[1]}/{index}.zip') as z:
    found = [{'path': i.filename, 'content': base64.b64encode(z.read(i)).decode()} for i in z.infolist()]
    if z.testzip() is not None or found != members: wrong.append([members, found])
print(json.dumps(wrong))`;
    expect(JSON.parse(await runProgram('python3', '-c', script, to))).toEqual([]);
  });

  testWith('python3', 'reads names in UTF-8 and finds the CRCs right', async () => {
    const script = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
  members = z.infolist()
  print(json.dumps({
    'bad': z.testzip(),
    'names': z.namelist(),
    'flags': [i.flag_bits for i in members],
    'date': members[0].date_time,
  }))`;
    expect(JSON.parse(await runProgram('python3', '-c', script, file))).toEqual({
      bad: null,
      names: Object.keys(contents),
      flags: entries.map(() => 0x800),
      // MS-DOS counts seconds by two.
      date: [2023, 7, 14, 9, 26, 52],
    });
  });
});
