import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram, testWith } from '../../../../test/harness/programs.ts';
import { layOutZip, type ZipEntry } from './zip.ts';

const GIB = 2 ** 30;
const FULL = 0xffff_ffff;
const ZEROS = new Uint8Array(1 << 20);

/** Members of zeros; `text` members hold their own path. */
async function* open(member: ZipEntry, start: number, end: number): AsyncGenerator<Uint8Array> {
  if (member.path.startsWith('text')) yield Buffer.from(member.path).subarray(start, end);
  else
    for (let at = start; at < end; at += ZEROS.length)
      yield ZEROS.subarray(0, Math.min(ZEROS.length, end - at));
}

const zeros = (path: string, size: number): ZipEntry => ({
  path,
  size,
  crc32: 0,
  modified: Date.UTC(2020, 0, 1),
});
const text = (path: string): ZipEntry => ({
  path,
  size: path.length,
  crc32: Bun.hash.crc32(Buffer.from(path)),
  modified: Date.UTC(2020, 0, 1),
});

const directory = mkdtempSync(join(tmpdir(), 'posthouse-zip64-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Writes an archive with holes where its members are zeros, so that gigabytes take no room on the disk. */
async function writeSparse(name: string, entries: readonly ZipEntry[]): Promise<string> {
  const file = join(directory, name);
  const zip = await layOutZip(entries, open);
  const descriptor = openSync(file, 'w');
  const copy = async (start: number, end: number) => {
    let at = start;
    for await (const chunk of zip.read(start, end)) at += writeSync(descriptor, chunk, 0, chunk.length, at);
  };
  let at = 0;
  for (const member of entries) {
    const headerSize = 30 + member.path.length + 9 + (member.size >= FULL ? 20 : 0);
    await copy(at, at + headerSize + (member.path.startsWith('text') ? member.size : 0));
    at += headerSize + member.size;
  }
  await copy(at, zip.length);
  closeSync(descriptor);
  expect(Bun.file(file).size).toBe(zip.length);
  return file;
}

const LIST = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
  print(json.dumps({'members': [[i.filename, i.file_size, i.header_offset, i.extract_version] for i in z.infolist()],
    'texts': [z.read(i).decode() for i in z.infolist() if i.filename.startswith('text')]}))
`;

async function list(file: string) {
  return JSON.parse(await runProgram('python3', '-c', LIST, file)) as {
    members: [string, number, number, number][];
    texts: string[];
  };
}

describe('beyond 4 GiB', () => {
  const entries = [
    text('text before'),
    zeros('exactly full', FULL),
    zeros('five', 5 * GIB),
    text('text after'),
  ];
  let file: string;
  beforeAll(async () => {
    file = await writeSparse('large.zip', entries);
  });

  testWith('python3', 'finds every member and reads the one past 4 GiB', async () => {
    const { members, texts } = await list(file);
    expect(members.map(([name, size]) => [name, size])).toEqual(
      entries.map(({ path, size }) => [path, size]),
    );
    expect(members.map(([, , , version]) => version)).toEqual([10, 45, 45, 45]);
    expect(members.at(-1)?.[2]).toBeGreaterThan(9 * GIB);
    expect(texts).toEqual(['text before', 'text after']);
  });

  testWith('unzip', 'reads the members on both sides of 4 GiB', async () => {
    expect(await runProgram('unzip', '-p', file, 'text before', 'text after')).toBe('text beforetext after');
    expect(await runProgram('zipinfo', '-1', file)).toBe(entries.map(({ path }) => `${path}\n`).join(''));
  });

  for (const [program, words] of [
    ['bsdtar', ['-xOf', '', 'text after']],
    ['7z', ['x', '-so', '', 'text after']],
  ] as const) {
    testWith(program, 'reads the member past 4 GiB', async () => {
      expect(await runProgram(program, ...words.map((word) => word || file))).toBe('text after');
    });
  }
});

test('one byte less than full needs no ZIP64', async () => {
  const zip = await layOutZip([zeros('a', FULL - 1)], open);
  const end = await Array.fromAsync(zip.read(zip.length - 22, zip.length));
  expect(Buffer.concat(end).readUInt32LE(0)).toBe(0x06054b50);
  // Its directory still begins past 4 GiB.
  expect(Buffer.concat(end).readUInt32LE(16)).toBe(FULL);
  expect(zip.length).toBe(30 + 1 + 9 + FULL - 1 + 46 + 1 + 9 + 56 + 20 + 22);
  expect((await layOutZip([zeros('a', 1000)], open)).length).toBe(30 + 1 + 9 + 1000 + 46 + 1 + 9 + 22);
});

describe('beyond 65,534 members', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => text(`text ${index}`));
  let file: string;
  beforeAll(async () => {
    file = await writeSparse('many.zip', many(70_000));
  });

  test('ZIP64 begins with the first of them', async () => {
    const signatureBeforeEnd = async (count: number) => {
      const zip = await layOutZip(many(count), open);
      return Buffer.concat(await Array.fromAsync(zip.read(zip.length - 42, zip.length - 38))).readUInt32LE(0);
    };
    expect(await signatureBeforeEnd(65_534)).not.toBe(0x07064b50);
    expect(await signatureBeforeEnd(65_535)).toBe(0x07064b50);
  });

  testWith('unzip', 'finds no error in 70,000', async () => {
    expect(await runProgram('unzip', '-tq', file)).toContain('No errors detected');
  });

  testWith('python3', 'reads 70,000', async () => {
    const { members, texts } = await list(file);
    expect(members).toHaveLength(70_000);
    expect(texts.at(-1)).toBe('text 69999');
  });
});
