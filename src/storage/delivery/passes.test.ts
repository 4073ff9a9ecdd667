import { expect, test } from 'bun:test';
import { createVault } from '../../kernel/crypto/vault.ts';
import { createPasses, PASS_MS } from './passes.ts';
import type { Protected } from './protected.ts';

test('a pass is valid for a time, for one file and its secrets', () => {
  const clock = { at: 1_800_000_000_000, now: () => clock.at };
  const passes = createPasses({ vault: createVault(Buffer.alloc(32, 1)), clock });
  const file: Protected = { kind: 'file', id: 'one', accessKey: 'key', passwordHash: 'hash' };
  const pass = passes.create(file);
  const [ends = '', signature] = pass.split('.');
  expect(passes.isValid(file, pass)).toBe(true);
  for (const other of [{ id: 'two' }, { accessKey: 'new' }, { passwordHash: 'new' }])
    expect(passes.isValid({ ...file, ...other }, pass)).toBe(false);
  for (const forged of [null, '', ends, `${ends}.`, `${Number(ends) + 1}.${signature}`])
    expect(passes.isValid(file, forged)).toBe(false);
  clock.at += PASS_MS - 1;
  expect(passes.isValid(file, pass)).toBe(true);
  clock.at += 1;
  expect(passes.isValid(file, pass)).toBe(false);
});
