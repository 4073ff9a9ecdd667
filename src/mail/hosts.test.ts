import { describe, expect, test } from 'bun:test';
import { nextRound } from '../kernel/event-loop/next-round.ts';
import { Problem } from '../kernel/problem.ts';
import { createCheckHost } from './hosts.ts';

const NAMES: Record<string, string[]> = {
  'mail.example.org': ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'],
  'half.example.org': ['93.184.216.34', '10.0.0.1'],
  '1.example.org': ['93.184.216.34'],
  'xn--bcher-kva.example': ['93.184.216.34'],
};

/** A DNS query takes `lookupMs` of a clock that is stopped otherwise. */
function open({ allowPrivate = false, lookupMs = 0 } = {}) {
  const queries: string[] = [];
  const sleeps: number[] = [];
  let now = 0;
  const checkHost = createCheckHost({
    allowPrivate,
    clock: { now: () => now },
    async resolve(name) {
      queries.push(name);
      now += lookupMs;
      const addresses = NAMES[name];
      if (!addresses) throw new Error('ENOTFOUND');
      return addresses;
    },
    async sleep(ms) {
      sleeps.push(ms);
      await nextRound();
    },
  });
  return { checkHost, queries, sleeps };
}

async function refusalOf(host: string, port = 587, { checkHost } = open()): Promise<Problem> {
  const error = await checkHost(host, port).catch((refusal) => refusal);
  if (error instanceof Problem) return error;
  throw new Error(`${host} was allowed`);
}

describe('allowed servers', () => {
  test('a public name is resolved once to its addresses', async () => {
    const { checkHost, queries } = open();
    expect(await checkHost('Mail.Example.org.', 587)).toEqual(NAMES['mail.example.org'] ?? []);
    expect(queries).toEqual(['mail.example.org']);
    expect(await checkHost('bücher.example', 25)).toHaveLength(1);
    expect(await checkHost('1.example.org', 25)).toHaveLength(1);
    expect(await checkHost('93.184.216.34', 2525)).toEqual(['93.184.216.34']);
    expect(await checkHost('[2606:2800:220:1:248:1893:25c8:1946]', 465)).toEqual([
      '2606:2800:220:1:248:1893:25c8:1946',
    ]);
  });

  test('all refusals read the same', async () => {
    const forms = [
      'half.example.org',
      'nowhere.example.org',
      'localhost',
      'localhost.',
      '127.0.0.1',
      '127.1',
      '0x7f.1',
      '0x7f000001',
      '2130706433',
      '017700000001',
      '0177.0.0.1',
      '127.0.0.1.',
      '0',
      '0.0.0.0',
      '10.1.2.3',
      '172.31.0.1',
      '192.168.0.1',
      '169.254.169.254',
      '100.64.0.1',
      '::1',
      '[::1]',
      '::',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b::10.0.0.1',
      '64:ff9b:1::a00:1',
      '2002:7f00:1::',
      '2002:a00:1::1',
      '2001:0:4136:e378:8000:63bf:3fff:fdd2',
      'fe80::1',
      'fe80::1%eth0',
      'fc00::1',
      'fd00:ec2::254',
      'ff02::1',
      '2001:db8::1',
      '2606:4700:0:0:0:5efe:7f00:1',
      'a b',
      '',
      'mail.example.org/x',
      'user@mail.example.org',
      'mail.example.org:25',
      '１２７.0.0.1',
      '127。0。0。1',
      'mail_.example.org',
      '-x.example.org',
      '[93.184.216.34]x',
      'x[93.184.216.34]',
    ];
    const server = open();
    const refusals = await Promise.all([
      ...forms.map((form) => refusalOf(form, 587, server)),
      refusalOf('mail.example.org', 22, server),
      refusalOf('mail.example.org', 6379, server),
    ]);
    expect(server.queries).toEqual(['half.example.org', 'nowhere.example.org', 'localhost', 'localhost']);
    expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(['host_not_allowed']));
    expect(new Set(refusals.map(({ detail, fields }) => JSON.stringify([detail, fields]))).size).toBe(1);
  });

  test.each([
    [0, 2_000],
    [500, 1_500],
    [5_000, 0],
    // The clock is set back.
    [-3_600_000, 2_000],
  ])('a refusal takes two seconds also when the DNS query takes %d ms', async (lookupMs, pauseMs) => {
    const server = open({ lookupMs });
    await refusalOf('half.example.org', 587, server);
    expect(server.sleeps).toEqual([2_000, pauseMs]);
  });

  test('the operator can disable the rule', async () => {
    const { checkHost } = open({ allowPrivate: true });
    expect(await checkHost('127.0.0.1', 6379)).toEqual([]);
    for (const host of ['a b', ' a', 'a ', '', 'x'.repeat(256)])
      await expect(checkHost(host, 25)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
