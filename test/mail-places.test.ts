import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory, freshSettings, ONE_BACKEND } from './harness/backends.ts';
import { addMailClient, basic, type MailClient, post } from './harness/mail.ts';
import { mmdb } from './harness/mmdb.ts';
import { type Posthouse, startPosthouse } from './harness/posthouse.ts';
import { until } from './harness/until.ts';
import { type SmtpStandIn, startSmtpStandIn } from './stand-ins/smtp.ts';

/** A network in the format of GeoLite2 City, one of GeoIP2 in IPv6, and one in the flat format. */
const NETWORKS = {
  '193.99.144.0/24': {
    country: { iso_code: 'DE', names: { de: 'Deutschland', en: 'Germany' } },
    subdivisions: [{ iso_code: 'NI', names: { de: 'Niedersachsen', en: 'Lower Saxony' } }],
    city: { names: { de: 'Hannover', en: 'Hanover' } },
  },
  '2a00:1450:0:0:0:0:0:0/32': {
    country: { iso_code: 'CH', names: { en: 'Switzerland' } },
    subdivisions: [{ names: { en: 'Zurich' } }],
    city: { names: { en: 'Zürich' } },
  },
  '133.1.0.0/16': { city: 'Suita', state1: 'Ōsaka', country_code: 'JP' },
  '198.41.0.0/24': { country: { iso_code: 'US' } },
};

describe.each(ONE_BACKEND)('places from the operator’s own city database on %s', (backend) => {
  let smtp: SmtpStandIn;
  let posthouse: Posthouse;
  let client: MailClient;
  let german: MailClient;
  let settings: Record<string, string>;
  const file = join(freshDirectory(), 'city.mmdb');

  beforeAll(async () => {
    writeFileSync(file, mmdb(NETWORKS));
    smtp = await startSmtpStandIn();
    settings = {
      ...(await freshSettings(backend)),
      POSTHOUSE_SMTP_URL: `smtp://${smtp.host}:${smtp.port}?tls=none`,
      POSTHOUSE_MAIL_FROM: 'post@example.org',
      POSTHOUSE_TRUSTED_PROXIES: '127.0.0.1',
      POSTHOUSE_GEOIP_DB: file,
    };
    posthouse = await startPosthouse(settings);
    client = await addMailClient(
      settings,
      'site',
      '--services',
      'email,contact',
      '--with-contact',
      '--contact-to',
      'owner@example.org',
    );
    german = await addMailClient(
      settings,
      'Laden',
      ...['--services', 'contact', '--contact-to', 'owner@example.org', '--contact-language', 'de'],
    );
  });
  afterAll(async () => {
    await posthouse.stop();
    await smtp.stop();
  });

  const formFrom = async (server: Posthouse, sender: MailClient, address: string) => {
    const form = { ...sender, Email: 'ada@example.org', Message: 'Hello', IncludeSystemInfo: true };
    const { body } = await post(server, '/sendcontactusform', form, { 'X-Forwarded-For': address });
    return (await smtp.arrived(({ parsed }) => parsed.messageId === body.MessageId)).parsed;
  };

  test.each([
    ['193.99.144.80', 'Hanover, Lower Saxony, Germany'],
    ['::ffff:193.99.144.80', 'Hanover, Lower Saxony, Germany'],
    ['2a00:1450:4001:800::200e', 'Zürich, Zurich, Switzerland'],
    ['133.1.1.1', 'Suita, Ōsaka, Japan'],
    ['198.41.0.4', 'United States'],
  ])('a contact form from %s: %s', async (address, place) => {
    const parsed = await formFrom(posthouse, client, address);
    expect(parsed.text).toContain(`Place: ${place}\n`);
    expect(parsed.html).toContain(place);
    // The attribution belongs to the included database.
    expect(parsed.html).not.toContain('db-ip.com');
  });

  test.each([
    ['193.99.144.80', 'Hannover, Niedersachsen, Deutschland'],
    ['2a00:1450:4001:800::200e', 'Zürich, Zurich, Schweiz'],
    ['133.1.1.1', 'Suita, Ōsaka, Japan'],
    ['198.41.0.4', 'Vereinigte Staaten'],
  ])('the form of a client in German from %s: %s', async (address, place) => {
    const parsed = await formFrom(posthouse, german, address);
    expect(parsed.text).toContain(`Standort: ${place}\n`);
  });

  test.each(['193.99.145.1', '10.0.0.1', '2001:db8::1'])(
    'an unknown address has no place: %s',
    async (address) => {
      const parsed = await formFrom(posthouse, client, address);
      expect(parsed.text).toContain(`Address: ${address}`);
      expect(parsed.text).not.toContain('Place');
    },
  );

  test('an open has a region', async () => {
    const tracked = {
      ...client,
      To: 'ada@example.org',
      Subject: 'x',
      HtmlTemplate: '<p>x</p>',
      TrackOpens: true,
    };
    const { body } = await post(posthouse, '/requestemail', tracked);
    const { parsed } = await smtp.arrived((mail) => mail.parsed.messageId === body.MessageId);
    const pixel = new URL(/<img src="([^"]+)"/.exec(String(parsed.html))?.[1] ?? '');
    await posthouse.fetch(pixel.pathname, {
      headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux)', 'X-Forwarded-For': '193.99.144.80' },
    });
    const opens = await until(async () => {
      const state = await posthouse.fetch(`/messages/${body.Id}`, { headers: basic(client) });
      const { Opens } = (await state.json()) as { Opens: Record<string, unknown>[] };
      return Opens.length > 0 && Opens;
    });
    expect(opens).toEqual([
      { Time: expect.any(String), Country: 'Germany', Region: 'Lower Saxony', Automatic: false },
    ]);
  });

  test('an unreadable database is logged at the start, and forms are delivered without a place', async () => {
    writeFileSync(`${file}.broken`, mmdb(NETWORKS).subarray(0, 100));
    const own = { ...settings, ...(await freshSettings(backend)), POSTHOUSE_GEOIP_DB: `${file}.broken` };
    const server = await startPosthouse(own);
    await until(() => server.output().includes('POSTHOUSE_GEOIP_DB'));
    const parsed = await formFrom(
      server,
      await addMailClient(own, 'site', '--services', 'contact', '--contact-to', 'owner@example.org'),
      '193.99.144.80',
    );
    expect(parsed.text).toContain('Address: 193.99.144.80');
    expect(parsed.text).not.toContain('Place');
    await server.stop();
  });
});
