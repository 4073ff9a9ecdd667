import { describe, expect, test } from 'bun:test';
import { BACKENDS } from './harness/backends.ts';
import { post } from './harness/mail.ts';
import { mailAdmin } from './harness/mail-admin.ts';

describe.each(BACKENDS)('templates of e-mails on %s', (backend) => {
  const { posthouse, smtp, call, createClient } = mailAdmin(backend);

  test('built-in ones render with their samples', async () => {
    const listed = JSON.parse((await call('GET', '/templates')).text) as Record<string, unknown>[];
    const bundled = listed.filter((template) => template.bundled);
    expect(bundled.map(({ name }) => name)).toEqual([
      'account-invitation',
      'account-invitation.de',
      'account-password-changed',
      'account-password-changed.de',
      'account-password-reset',
      'account-password-reset.de',
      'alert',
      'contact-form',
      'contact-form.de',
      'link-files',
      'link-files.de',
      'password-reset',
      'receipt',
      'welcome',
    ]);
    for (const { subject, html, text, sample } of bundled) {
      const { status, body } = await call('POST', '/preview', { subject, html, text, data: sample });
      expect(status).toBe(200);
      expect(body.html).toContain('<html');
      expect(`${body.html}${body.text}${body.subject}`).not.toMatch(/\{\{|\{%|<mj-/);
    }
  });

  test('are stored in versions, previewed and sent', async () => {
    const first = {
      name: 'Order.Shipped',
      subject: 'Order {{ id }}',
      html: '<p>Dear {{ name }}</p>',
      text: null,
      sample: { id: 1, name: '<Ada>' },
    };
    const made = await call('POST', '/templates', first);
    expect([made.status, made.body]).toMatchObject([
      201,
      { name: 'order.shipped', version: 1, bundled: false, sample: first.sample },
    ]);
    expect((await call('POST', '/templates', first)).body.code).toBe('name_taken');
    const saved = await call('PUT', '/templates/order.shipped', { ...first, text: 'Hello {{ name }}' });
    expect(saved.body.version).toBe(2);
    expect(JSON.parse((await call('GET', '/templates/ORDER.shipped/versions')).text)).toMatchObject([
      { version: 2 },
      { version: 1 },
    ]);
    expect((await call('GET', '/templates/order.shipped?version=1')).body.text).toBeNull();
    expect((await call('GET', '/templates/order.shipped?version=3')).status).toBe(404);

    const preview = await call('POST', '/preview', { ...first, data: { id: 2, name: '<b>' } });
    expect(preview.body).toMatchObject({
      subject: 'Order 2',
      html: '<p>Dear &lt;b&gt;</p>',
      text: 'Dear <b>',
    });
    const blank = await call('POST', '/preview', {
      ...first,
      text: ' {{ nothing }}\n',
      data: { name: 'x' },
    });
    expect(blank.body.text).toBe('Dear x');
    expect((await call('POST', '/preview', { ...first, strict: true })).body.code).toBe('invalid_template');

    const client = await createClient('template user');
    const send = (more: Record<string, unknown>) =>
      post(posthouse, '/requestemail', {
        ...client,
        To: 'ada@example.org',
        TemplateName: ' order.SHIPPED ',
        ...more,
      });
    const { body } = await send({ TemplateData: { id: 9, name: 'Ada' } });
    const { parsed } = await smtp.arrived((mail) => mail.parsed.messageId === body.MessageId);
    expect([parsed.subject, parsed.html, parsed.text?.trim()]).toEqual([
      'Order 9',
      '<p>Dear Ada</p>',
      'Hello Ada',
    ]);
    const own = await send({ Subject: 'Mine {{ id }}' });
    expect((await smtp.arrived((mail) => mail.parsed.messageId === own.body.MessageId)).parsed.subject).toBe(
      'Mine {{ id }}',
    );
    expect((await send({ TemplateData: {}, StrictVariables: true })).body.code).toBe('invalid_template');
    expect((await send({ HtmlTemplate: 'x' })).body.errors?.[0]?.path).toBe('TemplateName');

    const tried = await call('POST', '/test', {
      to: 'me@example.org',
      templateName: 'order.shipped',
      data: first.sample,
    });
    expect(tried.status).toBe(200);
    expect((await smtp.arrived(({ to }) => to[0] === 'me@example.org')).parsed.subject).toBe('Order 1');
    expect((await call('DELETE', '/templates/order.shipped')).status).toBe(204);
    expect((await send({})).body.errors?.[0]?.path).toBe('TemplateName');
    expect((await call('DELETE', '/templates/order.shipped')).status).toBe(404);
  });

  test('a stored one replaces the built-in one of the same name', async () => {
    expect(
      (await call('PUT', '/templates/alert', { subject: 'My alert', html: null, text: 'x', sample: {} }))
        .body,
    ).toMatchObject({
      version: 1,
      bundled: false,
    });
    expect((await call('DELETE', '/templates/alert')).status).toBe(204);
    expect((await call('GET', '/templates/alert')).body.bundled).toBe(true);
  });

  test('an invalid one is not stored', async () => {
    for (const [fields, code] of [
      [{ html: '{% if %}' }, 'invalid_template'],
      [{ html: '<mjml><mj-body><mj-section></mj-body></mjml>' }, 'invalid_template'],
      [{ html: null, text: null }, 'invalid_request'],
      [{ subject: '' }, 'invalid_request'],
      [{ name: '../x' }, 'invalid_request'],
      [{ sample: [1] }, 'invalid_request'],
    ] as const) {
      const { status, body } = await call('POST', '/templates', {
        name: 'broken',
        subject: 'x',
        html: 'y',
        text: null,
        sample: {},
        ...fields,
      });
      expect([fields, status, body.code]).toEqual([fields, 400, code]);
    }
    expect((await call('PUT', '/templates/no-such', { subject: 'x', html: 'y', text: null })).status).toBe(
      404,
    );
    expect((await call('GET', '/templates/broken')).status).toBe(404);
  });
});
