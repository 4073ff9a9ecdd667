import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { BACKENDS, freshDirectory, freshSettings } from '../harness/backends.ts';
import { filesOf } from '../harness/files.ts';
import { addPerson, type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { runProgram, testWith } from '../harness/programs.ts';

const SIZE = 8_388_608;
const CUT = 3_000_001;

interface Downloader {
  program: string;
  /** Downloads into `file`, in parts. */
  command(url: string, file: string, authorization: string): string[];
}

const DOWNLOADERS: Downloader[] = [
  {
    program: 'aria2c',
    command: (url, file, authorization) => [
      ...['aria2c', '-q', '-c', '-x8', '-s8', '-k1M', '--allow-overwrite=true', '--file-allocation=none'],
      ...['--header', authorization, '-d', '/', '-o', file.slice(1), url],
    ],
  },
  {
    program: 'wget',
    command: (url, file, authorization) => ['wget', '-q', '-c', '--header', authorization, '-O', file, url],
  },
  {
    program: 'curl',
    command: (url, file, authorization) => ['curl', '-sSf', '-C', '-', '-H', authorization, '-o', file, url],
  },
];

describe('downloads in parts', () => {
  const content = crypto.getRandomValues(new Uint32Array(SIZE / 4).subarray(0, 16_384));
  const bytes = new Uint8Array(SIZE).map((_, index) => content[index % 16_384] ?? 0);
  let posthouse: Posthouse;
  let token: string;
  let path: string;
  let folder: string;

  beforeAll(async () => {
    const settings = await freshSettings(BACKENDS[0]);
    posthouse = await startPosthouse(settings);
    const person = await addPerson(settings, 'ada@example.org');
    token = person.token;
    const files = filesOf(posthouse, person.headers);
    folder = await files.newFolder('Folder');
    const { id } = await files.upload(bytes, { name: 'a.bin', folder });
    path = `/api/storage/files/${id}/content`;
  });
  afterAll(() => posthouse.stop());

  for (const { program, command } of DOWNLOADERS) {
    testWith(program, 'continues a download where it was cut, for files and folders', async () => {
      for (const [name, from] of [
        ['a.bin', path],
        ['a.zip', `/api/storage/export/${folder}`],
      ] as const) {
        const file = join(freshDirectory(), name);
        const words = command(`${posthouse.url}${from}`, file, `Authorization: Bearer ${token}`);
        await runProgram(...words);
        const whole = await Bun.file(file).bytes();
        truncateSync(file, CUT);
        await runProgram(...words);
        const resumed = await Bun.file(file).bytes();
        expect(Bun.hash(resumed)).toBe(Bun.hash(whole));
        if (name === 'a.bin') expect(Bun.hash(whole)).toBe(Bun.hash(bytes));
      }
    });
  }
});
