import { expect, test } from 'bun:test';
import { ehloName } from './ehlo-name.ts';

test.each([
  ['https://files.example.org', 'files.example.org'],
  ['http://192.168.1.5:4000', '[192.168.1.5]'],
  ['http://[fd00::5]:4000', '[IPv6:fd00::5]'],
  ['http://localhost:4000', '[127.0.0.1]'],
])('a server at %s says EHLO %s', (publicUrl, name) => {
  expect(ehloName(publicUrl)).toBe(name);
});
