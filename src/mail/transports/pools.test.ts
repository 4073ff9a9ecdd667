import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createServer } from 'node:net';
import { listen } from '../../../test/harness/listen.ts';
import { until } from '../../../test/harness/until.ts';
import { type SmtpStandIn, startSmtpStandIn } from '../../../test/stand-ins/smtp.ts';
import { systemClock } from '../../kernel/clock.ts';
import { createCheckHost } from '../hosts.ts';
import { createPools, type SmtpTarget } from './pools.ts';

/** More than the buffers of a connection hold. */
const ENDLESS_BYTES = 32_000_000;

let smtp: SmtpStandIn;
const pools = createPools({ clock: systemClock, name: 'localhost' });
beforeAll(async () => {
  smtp = await startSmtpStandIn();
});
afterAll(async () => {
  pools.close();
  await smtp.stop();
});

const contentOf = (mime: Buffer) => ({ size: mime.length, mime });
const mail = (subject: string) => ({
  from: 'a@example.org',
  to: ['b@example.org'],
  content: contentOf(Buffer.from(`Subject: ${subject}\r\n\r\nText\r\n`)),
  signal: new AbortController().signal,
});
const target = (more: Partial<SmtpTarget>): SmtpTarget => ({
  host: 'mail.example.org',
  port: smtp.port,
  security: 'none',
  verifyTls: true,
  credentials: null,
  address: null,
  dkim: null,
  ...more,
});

test('an e-mail is sent to the checked address, without resolving the name again', async () => {
  // A name that cannot be resolved.
  await pools.pool(target({ host: 'rebinding.invalid', address: smtp.host })).send(mail('checked'));
  expect(smtp.mails.map(({ parsed }) => parsed.subject)).toEqual(['checked']);
  // A name of the server: resolving it would succeed.
  const elsewhere = pools
    .pool(target({ host: 'localhost', address: '127.0.0.2' }))
    .send(mail('resolved again'));
  expect(await elsewhere.then(String, () => 'failed')).toBe('failed');
  expect(smtp.mails).toHaveLength(1);
});

describe('a large e-mail', () => {
  async function* inPieces(pieces: readonly string[], failure?: Error) {
    for (const piece of pieces) yield Buffer.from(piece);
    if (failure) throw failure;
  }
  const pieces = ['Subject: in pieces\r\n\r\n', '.one\r', '\n.two\r\n'];
  const send = (failure?: Error) =>
    pools
      .pool(target({ host: smtp.host }))
      .send({ ...mail(''), content: { size: pieces.join('').length, mime: inPieces(pieces, failure) } });

  test('is sent in pieces', async () => {
    await send();
    const { parsed } = await smtp.arrived(({ parsed }) => parsed.subject === 'in pieces');
    expect(parsed.text).toBe('.one\n.two\n');
  });

  test('is not sent when its bytes can no longer be read', async () => {
    const before = smtp.mails.length;
    expect(await send(new Error('deleted')).catch(({ code, message }) => [code, message])).toEqual([
      'ESTREAM',
      'deleted',
    ]);
    await pools.pool(target({ host: smtp.host })).send(mail('next'));
    expect(smtp.mails.slice(before).map(({ parsed }) => parsed.subject)).toEqual(['next']);
  });
});

test('a name that later resolves to a private address uses the first address', async () => {
  const answers = [['93.184.216.34'], ['127.0.0.1']];
  const queries: string[] = [];
  const checkHost = createCheckHost({
    allowPrivate: false,
    clock: systemClock,
    async resolve(name) {
      queries.push(name);
      return answers[queries.length - 1] ?? [];
    },
  });
  const [address] = await checkHost('rebinding.example.org', 587);
  expect(address).toBe('93.184.216.34');
  expect(queries).toEqual(['rebinding.example.org']);
  expect(await checkHost('rebinding.example.org', 587).catch(({ code }) => String(code))).toBe(
    'host_not_allowed',
  );
});

test.each(['b@example.org', 'bücher@example.org'])(
  'a server that does not reply to EHLO is left when the delivery to %s is aborted',
  async (to) => {
    const greeted = Promise.withResolvers<void>();
    const silent = createServer((socket) => {
      socket.on('error', () => {});
      socket.write('220 silent\r\n');
      socket.once('data', () => greeted.resolve());
    });
    const port = await listen(silent);
    const delivery = new AbortController();
    const sending = pools
      .pool(target({ host: '127.0.0.1', port }))
      .send({ ...mail('silence'), to: [to], signal: delivery.signal });
    await greeted.promise;
    delivery.abort();
    expect(await sending.then(String, () => 'failed')).toBe('failed');
    silent.close();
  },
);

test.each([
  ['line', 'x'.repeat(1_024)],
  ['reply of many lines', `220-${'x'.repeat(1_018)}\r\n`],
  ['series of empty lines', '\r\n'.repeat(512)],
])('a server that sends an endless %s is left', async (_, part) => {
  const closed = Promise.withResolvers<number>();
  const endless = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('close', () => closed.resolve(socket.bytesWritten));
    const write = () => {
      if (!socket.destroyed && socket.bytesWritten < ENDLESS_BYTES) socket.write(part.repeat(16), write);
    };
    write();
  });
  const port = await listen(endless);
  const sending = pools.pool(target({ host: '127.0.0.1', port })).send(mail('endless'));
  expect(await sending.then(String, ({ message }) => message)).toContain('exceeds maximum allowed size');
  expect(await closed.promise).toBeLessThan(ENDLESS_BYTES);
  endless.close();
});

test('line breaks in credentials cannot inject commands', async () => {
  const guarded = await startSmtpStandIn({ user: { name: 'u', password: 'p' } });
  const commands = '\r\nMAIL FROM:<eve@example.org>\r\nRCPT TO:<eve@example.org>\r\nDATA\r\n\r\n.\r\n';
  for (const credentials of [
    { username: `u${commands}`, password: 'p' },
    { username: 'u', password: `p${commands}` },
  ]) {
    const sending = pools
      .pool(target({ host: guarded.host, port: guarded.port, credentials }))
      .send(mail('signed in'));
    expect(await sending.then(String, ({ code, command }) => [code, command])).toEqual([
      'EAUTH',
      'AUTH PLAIN',
    ]);
  }
  expect(guarded.mails).toEqual([]);
  await guarded.stop();
});

test('servers, credentials and TLS settings have separate connections', () => {
  const one = pools.pool(target({}));
  expect(pools.pool(target({}))).toBe(one);
  for (const more of [
    { host: 'other.example.org' },
    { address: '127.0.0.9' },
    { port: 1 },
    { security: 'tls' as const },
    { verifyTls: false },
    { credentials: { username: 'u', password: 'p' } },
    { dkim: { domain: 'example.org', selector: 's', privateKey: 'x' } },
  ])
    expect(pools.pool(target(more))).not.toBe(one);
});

test('a pool that is unused for a minute is closed, also after the clock was set back', () => {
  const clock = { at: 1_800_000_000_000, now: () => clock.at };
  const swept = createPools({ clock, name: 'localhost' });
  const unused = swept.pool(target({}));
  clock.at -= 3_600_000;
  swept.sweep();
  clock.at += 60_000;
  swept.sweep();
  expect(swept.pool(target({}))).toBe(unused);
  clock.at += 1;
  swept.sweep();
  expect(swept.pool(target({}))).not.toBe(unused);
  swept.close();
});

test('e-mails over many accounts keep 50 idle connections, and the pools in which an e-mail is under way', async () => {
  const ofMany = createPools({ clock: systemClock, name: 'localhost' });
  const pool = (host: string) => ofMany.pool(target({ host, address: smtp.host }));
  const earlier = smtp.open();
  smtp.trouble({ at: 'data', hang: true });
  const slow = pool('slow.example.org');
  const sending = slow.send(mail('slow')).then(String, () => 'failed');
  await smtp.arrived(({ parsed }) => parsed.subject === 'slow');
  await Promise.all(
    Array.from({ length: 70 }, (_, number) => pool(`${number}.example.org`).send(mail('short'))),
  );
  expect(pool('slow.example.org')).toBe(slow);
  await until(() => smtp.open() - earlier === 51);
  const before = smtp.connections();
  for (const number of [69, 20]) await pool(`${number}.example.org`).send(mail('over an open connection'));
  expect(smtp.connections()).toBe(before);
  await pool('19.example.org').send(mail('over another connection'));
  expect(smtp.connections()).toBe(before + 1);
  smtp.release();
  expect(await sending).toBe('failed');
  ofMany.close();
});
