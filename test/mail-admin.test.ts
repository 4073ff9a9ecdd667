import { describe, expect, test } from 'bun:test';
import { BACKENDS } from './harness/backends.ts';
import { basic, post } from './harness/mail.ts';
import { mailAdmin } from './harness/mail-admin.ts';
import { everythingStored } from './harness/stored.ts';
import { until } from './harness/until.ts';

const NOWHERE = '00000000-0000-7000-8000-000000000000';

describe.each(BACKENDS)('mail administration on %s', (backend) => {
  const { posthouse, smtp, call, createClient } = mailAdmin(backend);

  test('settings are shown without secrets', async () => {
    const { body } = await call('GET', '/settings');
    expect(body).toMatchObject({
      smtp: { host: '127.0.0.1', security: 'none', verifyTls: true, signsIn: false },
      sender: 'post@example.org',
      telegram: { configured: false },
      places: 'countries',
      trackOpens: true,
    });
  });

  test('an e-mail is displayed as it was sent', async () => {
    const client = await createClient('looked at');
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const { body } = await post(posthouse, '/requestemail', {
      ...client,
      To: 'ada@example.org',
      Bcc: 'bcc@example.org',
      Subject: 'Grüße',
      HtmlTemplate: '<script>alert(1)</script><img src="cid:logo"><p>ü</p>',
      Attachments: [
        { FileName: 'logo.png', Content: png, ContentId: 'logo' },
        { FileName: "ü's.html", ContentType: 'text/html', Content: btoa('<script>') },
      ],
    });
    const shown = await call('GET', `/messages/${body.Id}`);
    expect(shown.body).toMatchObject({
      envelope: { from: 'post@example.org', to: ['ada@example.org', 'bcc@example.org'] },
      hasHtml: true,
      text: expect.stringContaining('ü'),
      attachments: [
        { fileName: 'logo.png', contentType: 'image/png', contentId: 'logo' },
        { fileName: "ü's.html", contentType: 'text/html', sizeBytes: 8 },
      ],
    });
    expect(shown.body.headers).toContainEqual({ name: 'Subject', value: 'Grüße' });
    const html = await call('GET', `/messages/${body.Id}/html`);
    expect(html.text).toContain(`<img src="data:image/png;base64,${png}">`);
    expect(html.headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'",
    );
    const source = await call('GET', `/messages/${body.Id}/source`);
    expect(source.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(source.text).toContain(`Message-ID: ${body.MessageId}`);
    const attachment = await call('GET', `/messages/${body.Id}/attachments/1`);
    expect([attachment.text, attachment.headers.get('Content-Type')]).toEqual([
      '<script>',
      'application/octet-stream',
    ]);
    expect(attachment.headers.get('Content-Disposition')).toBe(
      `attachment; filename="_'s.html"; filename*=UTF-8''%C3%BC%27s.html`,
    );
    for (const path of [
      `/messages/${NOWHERE}`,
      `/messages/${body.Id}/attachments/2`,
      `/messages/${body.Id}/attachments/x`,
    ])
      expect((await call('GET', path)).status).toBe(404);
  });

  test('opens are counted on request, without the reader’s address', async () => {
    const client = await createClient('tracked');
    const send = async (more: Record<string, unknown>) => {
      const { body } = await post(posthouse, '/requestemail', {
        ...client,
        To: 'ada@example.org',
        Subject: 'x',
        HtmlTemplate: '<body>Hi</body>',
        ...more,
      });
      const { parsed } = await smtp.arrived((mail) => mail.parsed.messageId === body.MessageId);
      return { id: body.Id, html: String(parsed.html), text: parsed.text ?? '' };
    };
    expect((await send({})).html).toBe('<body>Hi</body>');
    const tracked = await send({ TrackOpens: true });
    const pixel = new URL(/<img src="([^"]+)"/.exec(tracked.html)?.[1] ?? '');
    expect(tracked.html).toEndWith('</body>');
    // In lower case, `İ` has another length.
    const turkish = await send({ TrackOpens: true, HtmlTemplate: '<BODY>İstanbul</BODY>' });
    expect(turkish.html).toMatch(/^<BODY>İstanbul<img [^>]+><\/BODY>$/);
    expect(tracked.text).not.toContain('/opens/');
    const open = (path: string, headers: Record<string, string>) => posthouse.fetch(path, { headers });
    const browser = { 'User-Agent': 'Mozilla/5.0 (X11; Linux)', 'X-Forwarded-For': '193.99.144.80' };
    const picture = await open(pixel.pathname, browser);
    expect([
      picture.status,
      picture.headers.get('Content-Type'),
      picture.headers.get('Cache-Control'),
    ]).toEqual([200, 'image/gif', 'no-store, private']);
    await open(pixel.pathname, {
      'User-Agent': 'Mozilla/5.0 (via ggpht.com GoogleImageProxy)',
      'X-Forwarded-For': '8.8.8.8',
    });
    await open(pixel.pathname, { ...browser, 'Sec-Purpose': 'prefetch' });
    for (const wrong of [
      `${pixel.pathname}x`,
      pixel.pathname.slice(0, -1),
      '/mail/opens/x',
      `/mail/opens/${NOWHERE}.x`,
    ])
      expect((await open(wrong, browser)).status).toBe(200);
    const opens = await until(async () => {
      const answer = await posthouse.fetch(`/messages/${tracked.id}`, { headers: basic(client) });
      const { Opens } = (await answer.json()) as { Opens: unknown[] };
      return Opens.length >= 3 && Opens;
    });
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(opens).toHaveLength(3);
    expect(opens).toEqual(
      expect.arrayContaining([
        { Time: time, Country: 'Germany', Region: null, Automatic: false },
        { Time: time, Country: 'United States', Region: null, Automatic: true },
        { Time: time, Country: 'Germany', Region: null, Automatic: true },
      ]),
    );
    expect(await everythingStored(posthouse.settings)).not.toContain('193.99.144.80');
  });
});
