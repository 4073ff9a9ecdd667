import { describe, expect, test } from 'bun:test';
import type { Geoip } from '../geoip.ts';
import { answerRows, systemRows, type Visitor, visitorOf } from './system-info.ts';

const seen = {
  address: '198.51.100.1',
  userAgent: 'relay/1.0',
  language: 'de',
  referrer: 'https://x.example/',
};
const deps = {
  geoip: { locate: async () => ({ country: 'Japan' }) } as unknown as Geoip,
  clock: { now: () => 0 },
};

/** Returns the rows of the text part, as the bundled template writes them. */
async function linesOf(visitor: Visitor) {
  const rows = await systemRows(visitor, 'en', deps);
  return rows.map(({ name, value, reported }) => `${name}${reported ? ' (reported)' : ''}: ${value}`);
}

const TIME = 'Time: 1970-01-01T00:00:00.000Z';

describe('system information', () => {
  test('of a visitor that the request describes is not marked', async () => {
    expect(await linesOf(visitorOf(seen, undefined))).toEqual([
      ...['Address: 198.51.100.1', 'Place: Japan', 'User agent: relay/1.0', 'Language: de'],
      ...['Referrer: https://x.example/', TIME],
    ]);
  });

  test('marks the values that were reported', async () => {
    expect(await linesOf(visitorOf(seen, { userAgent: 'Phone', constructor: 'x' }))).toEqual([
      ...['Address: 198.51.100.1', 'Place: Japan', 'User agent (reported): Phone', 'Language: de'],
      ...['Referrer: https://x.example/', TIME, 'constructor (reported): x'],
    ]);
    expect(await linesOf(visitorOf(seen, { IpAddress: '192.0.2.1', LANGUAGE: 'fr' }))).toEqual([
      ...['Address (reported): 192.0.2.1', 'Place (reported): Japan', 'Language (reported): fr', TIME],
    ]);
  });

  test.each(['not an address', '192.0.2.1, 192.0.2.2', 7])(
    'shows %j, which is not an address, beside the address of the request',
    async (IpAddress) => {
      const lines = await linesOf(visitorOf({ ...seen, language: null, referrer: null }, { IpAddress }));
      expect(lines).toContain('Address: 198.51.100.1');
      expect(lines.at(-1)).toBe(`IpAddress (reported): ${IpAddress}`);
    },
  );

  test('of a form stored by an earlier version is marked as a whole', async () => {
    const stored = { ...seen, reported: true, more: {} };
    expect((await linesOf(stored)).filter((line) => line.includes('reported')).length).toBe(5);
  });

  test.each(['\n', '\r\n', '\r', '\u2028', '\u0085', '\v', ' \n\t '])(
    'has one line for each value that contains %j',
    async (lineBreak) => {
      const forged = `x${lineBreak}Address: 8.8.8.8`;
      const visitor = visitorOf(seen, {
        userAgent: forged,
        Language: forged,
        [forged]: forged,
        blank: lineBreak,
      });
      const flat = 'x Address: 8.8.8.8';
      expect(await linesOf(visitor)).toEqual([
        ...['Address: 198.51.100.1', 'Place: Japan', `User agent (reported): ${flat}`],
        ...[`Language (reported): ${flat}`, 'Referrer: https://x.example/', TIME],
        `${flat} (reported): ${flat}`,
      ]);
    },
  );
});

test.each(['\n', '\r\n', '\r', '\u2028', '\u0085', '\v'])(
  'the lines of an answer are indented after each %j, and its name is one line',
  (lineBreak) => {
    const address = ['Main Street 1', 'Address: 8.8.8.8', ''].join(lineBreak);
    expect(answerRows({ [address]: address, list: ['a', lineBreak], empty: lineBreak })).toEqual([
      { name: 'Main Street 1 Address: 8.8.8.8', value: 'Main Street 1\n    Address: 8.8.8.8' },
      {
        name: 'list',
        value: JSON.stringify(['a', lineBreak])
          .split(/[\u2028\u0085]/)
          .join('\n    '),
      },
    ]);
  },
);
