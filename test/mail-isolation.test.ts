import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { freshSettings } from './harness/backends.ts';
import { addMailClient, type MailClient, post } from './harness/mail.ts';
import { type Posthouse, startPosthouse } from './harness/posthouse.ts';

/** Requests that would take minutes or gigabytes: each is refused without delaying other requests. */
describe('an expensive e-mail', () => {
  let posthouse: Posthouse;
  let client: MailClient;
  let other: MailClient;
  const send = (body: Record<string, unknown>, from = client, headers = {}) =>
    post(
      posthouse,
      '/requestemail',
      { ...from, To: 'ada@example.org', Subject: 'x', ...body },
      { Prefer: 'respond-async', ...headers },
    );

  beforeAll(async () => {
    const settings = await freshSettings();
    posthouse = await startPosthouse(settings);
    client = await addMailClient(settings, 'hostile', '--services', 'email,telegram');
    other = await addMailClient(settings, 'other', '--services', 'email');
  });
  afterAll(() => posthouse.stop());

  const numbers = Array.from({ length: 3_000 }, (_, index) => index);
  const deep = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);
  const mjml = (inner: string) => `<mjml><mj-body>${inner}</mj-body></mjml>`;

  const ATTACKS: Record<string, Record<string, unknown>> = {
    'a filter that evaluates an expression for each pair of items': {
      Body: `{% assign x = a | group_by_exp: 'i', "a | where_exp: 'j', 'j == i' | size" %}`,
      TemplateData: { a: numbers },
    },
    'MJML nested 500 deep': { HtmlTemplate: mjml(deep('<mj-wrapper>', '</mj-wrapper>', 500)) },
    'comments before something that is not MJML': { HtmlTemplate: `${'<!----> '.repeat(40)}{% if %}` },
    'loops in loops': {
      Body: '{% for a in (1..9999) %}{% for b in (1..9999) %}{% for c in (1..9999) %}{{ c }}{% endfor %}{% endfor %}{% endfor %}',
      TemplateData: {},
    },
    'empty loops in loops': {
      Body: deep('{% for a in (1..9999) %}', '{% endfor %}', 20),
      TemplateData: {},
    },
    'a huge output': {
      Body: '{% for a in (1..9999) %}{{ s }}{% endfor %}',
      TemplateData: { s: 'x'.repeat(100_000) },
    },
    'captures that double': {
      Body: `{% assign x = "0123456789" %}${'{% capture x %}{{ x }}{{ x }}{% endcapture %}'.repeat(60)}{{ x }}`,
      TemplateData: {},
    },
    'a chain of split and join': {
      Body: `{% assign x = s %}${'{% assign x = x | split: "" | join: "--" %}'.repeat(30)}{{ x }}`,
      TemplateData: { s: 'x'.repeat(10_000) },
    },
    'a large list sorted again and again': {
      Body: `{% for i in (1..9999) %}{% assign b = a | sort_natural | reverse | sort %}{% endfor %}`,
      TemplateData: { a: Array.from({ length: 20_000 }, (_, index) => `item ${(index * 7919) % 20_011}`) },
    },
    'dates with wide formats': {
      Body: '{% for i in (1..99999) %}{{ "now" | date: f }}{% endfor %}',
      TemplateData: { f: '%9999999d'.repeat(20) },
    },
    'a list of lists that grows without bound': {
      Body: `{% assign a = "1,2" | split: "," %}{% for i in (1..99999) %}{% assign a = a | concat: a %}{% endfor %}{{ a }}`,
      TemplateData: {},
    },
    'tags nested 30,000 deep': { Body: deep('{% if true %}', '{% endif %}', 30_000), TemplateData: {} },
    'a template of two megabytes of tags': { Body: '{{a}}'.repeat(600_000), TemplateData: { a: 1 } },
    'HTML of 1,100,000 open elements': { HtmlTemplate: '<div>'.repeat(1_100_000) },
    'JSON nested two million deep': { '': '['.repeat(2_000_000) },
  };
  /** Attacks that use all of their time limit, so that other requests are certainly served before they end. */
  const SLOW = new Set(['loops in loops', 'empty loops in loops', 'HTML of 1,100,000 open elements']);

  test.each(Object.keys(ATTACKS))('%s is refused while others are served', async (name) => {
    const attack = ATTACKS[name] ?? {};
    let isAnswered = false;
    const raw = attack[''] === undefined ? attack : undefined;
    const answer = (raw ? send(raw) : post(posthouse, '/requestemail', String(attack['']))).then((given) => {
      isAnswered = true;
      return given;
    });
    const served = await Promise.all(['/healthz', '/Ping', '/healthz'].map((path) => posthouse.fetch(path)));
    expect(served.map(({ status }) => status)).toEqual([200, 200, 200]);
    if (SLOW.has(name)) expect(isAnswered).toBe(false);
    const { status } = await answer;
    expect(status).toBe(400);
    const after = await send({ HtmlTemplate: '<p>{{ a }}</p>', TemplateData: { a: 'b' } });
    expect(after.status).toBe(202);
  });

  const MESSAGES: Record<string, [mode: string, text: string, status: number]> = {
    'a link in a link, 190,000 times': [
      'MarkdownV2',
      `${'['.repeat(190_000)}${'x'.repeat(9_000)}${'](u)'.repeat(190_000)}`,
      400,
    ],
    'a link over many messages': [
      'Html',
      `<a href="${'x'.repeat(400_000)}">${'y '.repeat(250_000)}</a>`,
      400,
    ],
    '300,000 lines of quotes': ['MarkdownV2', '>\n'.repeat(300_000), 400],
    '200,000 bold letters': ['MarkdownV2', '*a*b'.repeat(200_000), 400],
    'half a million unclosed tags': ['Html', '<b '.repeat(330_000), 202],
    'attributes without an end': ['Html', `<a ${'a = '.repeat(240_000)}`, 202],
    'code marks': ['MarkdownV2', '`a``'.repeat(200_000), 400],
  };
  test.each(Object.keys(MESSAGES))('Telegram markup of %s is bounded', async (name) => {
    const [ParseMode, Message, expected] = MESSAGES[name] ?? ['', '', 0];
    const answer = post(
      posthouse,
      '/requesttelegram',
      { ...client, Recipients: '1', ParseMode, Message },
      { Prefer: 'respond-async' },
    );
    expect((await posthouse.fetch('/healthz')).status).toBe(200);
    const { status } = await answer;
    expect(status).toBe(expected);
  });

  test('trickling bodies keep no large e-mail from being received', async () => {
    const { hostname, port } = new URL(posthouse.url);
    const sockets = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const socket = connect(Number(port), hostname).on('error', () => {});
        const length = index % 2 ? 'Transfer-Encoding: chunked' : 'Content-Length: 30000000';
        socket.write(
          `POST /requestemail HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${length}\r\n\r\n`,
        );
        socket.write(index % 2 ? '1\r\n{\r\n' : '{');
        return socket;
      }),
    );
    try {
      const large = await send({ Body: 'x'.repeat(2_000_000) });
      expect(large.status).toBe(202);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  test('one client’s expensive e-mails do not delay those of another', async () => {
    let refused = 0;
    const attacks = Array.from({ length: 3 }, () =>
      send(ATTACKS['empty loops in loops'] ?? {}).then(({ status }) => {
        refused++;
        return status;
      }),
    );
    const mails = await Promise.all(
      Array.from({ length: 5 }, () =>
        send({ HtmlTemplate: '<p>{{ a }}</p>', TemplateData: { a: 1 } }, other),
      ),
    );
    expect(mails.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
    expect(refused).toBeLessThan(attacks.length);
    // On a busy machine, the last of them may not be rendered.
    for (const status of await Promise.all(attacks)) expect([400, 503]).toContain(status);
  });
});
