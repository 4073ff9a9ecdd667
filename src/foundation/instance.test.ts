import { expect, test } from 'bun:test';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory } from '../../test/harness/backends.ts';
import { shapeConfig } from '../config/config.ts';
import { readSettings } from '../config/env.ts';
import { DataDirectoryInUse } from './data-directory-lock.ts';
import { openInstance } from './instance.ts';

const POSTGRES = { POSTHOUSE_DATABASE_URL: 'postgres://localhost/unused', POSTHOUSE_SECRET: 'x'.repeat(40) };

const configOf = (dataDir: string, more: Record<string, string> = {}) =>
  shapeConfig(readSettings({}, { POSTHOUSE_DATA_DIR: dataDir, ...more })).config;

test.each([{}, POSTGRES])(
  'each run has its own id, and that of the previous run once it has ended',
  (more) => {
    const config = configOf(freshDirectory(), more);
    const first = openInstance(config);
    expect(first.previousId).toBeNull();
    first.close();
    const second = openInstance(config);
    expect(second.id).not.toBe(first.id);
    expect(second.previousId).toBe(first.id);
    second.close();
  },
);

test('each process of a server has its own earlier run', () => {
  const config = configOf(freshDirectory());
  const first = [openInstance(config, 0), openInstance(config, 1)];
  expect(() => openInstance(config, 1)).toThrow(DataDirectoryInUse);
  expect(first.map(({ previousId, isAlone }) => [previousId, isAlone])).toEqual([
    [null, false],
    [null, false],
  ]);
  for (const { close } of first) close();
  const second = [openInstance(config, 0), openInstance(config, 1)];
  expect(second.map(({ previousId }) => previousId)).toEqual(first.map(({ id }) => id));
  for (const { close } of second) close();
});

test('a second server is refused on SQLite, and has no previous run on PostgreSQL', () => {
  const directory = freshDirectory();
  const first = openInstance(configOf(directory));
  expect(() => openInstance(configOf(directory))).toThrow(DataDirectoryInUse);
  const beside = openInstance(configOf(directory, POSTGRES));
  expect(beside.previousId).toBeNull();
  beside.close();
  first.close();
  expect(openInstance(configOf(directory, POSTGRES)).previousId).toBe(first.id);
});

test('a copy of the data directory on another machine does not end the work of the first', () => {
  const [directory, copy] = [freshDirectory(), freshDirectory()];
  const first = openInstance(configOf(directory, POSTGRES));
  cpSync(join(directory, 'instance'), join(copy, 'instance'));
  const [id] = readFileSync(join(copy, 'instance'), 'utf8').split('\n');
  expect(id).toBe(first.id);
  writeFileSync(join(copy, 'instance'), `${id}\nanother-boot\n`);
  expect(openInstance(configOf(copy, POSTGRES)).previousId).toBeNull();
  first.close();
});
