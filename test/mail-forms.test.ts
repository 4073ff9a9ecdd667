import { describe, expect, test } from 'bun:test';
import { BACKENDS } from './harness/backends.ts';
import { post } from './harness/mail.ts';
import { mailAdmin } from './harness/mail-admin.ts';
import { until } from './harness/until.ts';

describe.each(BACKENDS)('contact forms of clients on %s', (backend) => {
  const { posthouse, smtp, call, createClient } = mailAdmin(backend);

  test('spam is stored, and can be sent or deleted', async () => {
    const client = await createClient('form', {
      contactTo: ['owner@example.org'],
      contactAcknowledges: true,
    });
    const form = {
      ...client,
      Email: 'visitor@example.org',
      Message: 'really not spam',
      Website: 'https://example.org',
    };
    await post(posthouse, '/sendcontactusform', form);
    await post(posthouse, '/sendcontactusform', { ...form, Message: 'really spam' });
    const kept = JSON.parse((await call('GET', '/spam')).text) as {
      id: string;
      reason: string;
      form: { request: { Message: string } };
    }[];
    expect(kept.map(({ reason, form: { request } }) => [reason, request.Message])).toEqual([
      ['honeypot', 'really spam'],
      ['honeypot', 'really not spam'],
    ]);
    expect(JSON.stringify(kept)).not.toContain(client.ClientSecret);
    expect((await call('DELETE', `/spam/${kept[0]?.id}`)).status).toBe(204);
    expect((await call('POST', `/spam/${kept[1]?.id}/release`)).status).toBe(202);
    const letter = await smtp.arrived(({ to }) => to[0] === 'owner@example.org');
    expect([letter.parsed.replyTo?.value[0]?.address, letter.parsed.text]).toEqual([
      'visitor@example.org',
      expect.stringContaining('really not spam'),
    ]);
    const thanks = await smtp.arrived(({ to }) => to[0] === 'visitor@example.org');
    expect(thanks.parsed.headers.get('auto-submitted')).toBe('auto-replied');
    expect(thanks.raw).not.toContain('really');
    expect((await call('POST', `/spam/${kept[1]?.id}/release`)).status).toBe(404);
    expect(JSON.parse((await call('GET', '/spam')).text)).toEqual([]);
  });

  test('the confirmation of a form is in the language of the visitor', async () => {
    const client = await createClient('Laden', {
      contactTo: ['owner@example.org'],
      contactAcknowledges: true,
    });
    const send = (Email: string, language: string, more: Record<string, unknown> = {}) =>
      post(
        posthouse,
        '/sendcontactusform',
        { ...client, Email, Message: 'Hallo', ...more },
        { 'Accept-Language': language },
      );
    await send('english@example.org', 'fr');
    await send('german@example.org', 'de-AT, en;q=0.5');
    await send('relayed@example.org', 'en', { SystemInfo: { Language: 'de' } });
    await send('blocked@example.org', 'de', { Website: 'https://example.org' });
    const [blocked] = JSON.parse((await call('GET', '/spam')).text) as { id: string }[];
    await call('POST', `/spam/${blocked?.id}/release`);
    const confirmation = async (address: string) => {
      const { parsed } = await smtp.arrived(({ to }) => to[0] === address);
      return [parsed.subject, parsed.text];
    };
    expect(await confirmation('english@example.org')).toEqual([
      'We received your message',
      'Thank you. Laden received your message and will reply to it.\n',
    ]);
    for (const name of ['german', 'relayed', 'blocked'])
      expect(await confirmation(`${name}@example.org`)).toEqual([
        'Ihre Nachricht ist angekommen',
        'Danke. Ihre Nachricht an Laden ist angekommen und wird beantwortet.\n',
      ]);
  });

  test('a form is sent in the language of the client, with the template of that language', async () => {
    const client = await createClient('languages', { contactTo: ['languages@example.org'] });
    const choose = (contactLanguage: string) => call('PATCH', `/clients/${client.id}`, { contactLanguage });
    const subjectOf = async () => {
      const form = { ...client, Email: 'ada@example.org', Message: 'Hello' };
      const { body } = await post(posthouse, '/sendcontactusform', form, { 'Accept-Language': 'de' });
      return (await smtp.arrived(({ parsed }) => parsed.messageId === body.MessageId)).parsed.subject;
    };
    const saveTemplate = (name: string, subject: string) =>
      call('PUT', `/templates/${name}`, { subject, html: null, text: 'x', sample: {} });
    expect(await subjectOf()).toBe('Message from ada@example.org');
    expect((await choose('de')).body.contactLanguage).toBe('de');
    expect(await subjectOf()).toBe('Nachricht von ada@example.org');
    await saveTemplate('contact-form', 'Changed');
    expect(await subjectOf()).toBe('Nachricht von ada@example.org');
    await saveTemplate('contact-form.de', 'Geändert');
    expect(await subjectOf()).toBe('Geändert');
    await choose('en');
    expect(await subjectOf()).toBe('Changed');
    for (const name of ['contact-form', 'contact-form.de']) await call('DELETE', `/templates/${name}`);
    expect(await subjectOf()).toBe('Message from ada@example.org');
  });

  test('confirmations of forms do not flood a mailbox', async () => {
    const client = await createClient('flood', {
      contactTo: ['flooded@example.org'],
      contactAcknowledges: true,
    });
    const send = (Email: string) =>
      post(posthouse, '/sendcontactusform', { ...client, Email, Message: 'Hello' });
    for (const name of ['victim', 'Victim', 'vic.tim', 'victim+1', 'victim+2', 'v.i.c.t.i.m+3'])
      expect((await send(`${name}@example.org`)).status).toBe(200);
    expect((await send('other@example.org')).status).toBe(200);
    const countOf = (address: RegExp) => smtp.mails.filter(({ to }) => address.test(to[0] ?? '')).length;
    const VICTIM = /^v\.?i\.?c\.?t\.?i\.?m/i;
    await smtp.arrived(({ to }) => to[0] === 'other@example.org');
    await until(() => countOf(/^flooded@/) === 7 && countOf(VICTIM) >= 3);
    expect(countOf(VICTIM)).toBe(3);
  });

  test('only accepted forms count toward the confirmations of a mailbox', async () => {
    const client = await createClient('repeated', {
      contactTo: ['repeated@example.org'],
      contactAcknowledges: true,
    });
    const send = (Message: string, key: string) =>
      post(
        posthouse,
        '/sendcontactusform',
        { ...client, Email: 'patient@example.org', Message },
        { 'Idempotency-Key': key },
      );
    const statuses = [];
    for (const [text, key] of [
      ['1', 'a'],
      ['1', 'a'],
      ['another', 'a'],
      ['1', 'a'],
      ['2', 'b'],
      ['3', 'c'],
    ] as const)
      statuses.push((await send(text, key)).status);
    expect(statuses).toEqual([200, 200, 409, 200, 200, 200]);
    await until(() => smtp.mails.filter(({ to }) => to[0] === 'patient@example.org').length === 3);
  });

  test('a challenge is verified at the client’s provider', async () => {
    const asked: URLSearchParams[] = [];
    const verifier = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const form = new URLSearchParams(await request.text());
        asked.push(form);
        if (form.get('response') === 'odd') return Response.json(null);
        return Response.json({ success: form.get('response') === 'good' });
      },
    });
    const client = await createClient('challenged', {
      contactTo: ['owner@example.org'],
      challengeUrl: `http://127.0.0.1:${verifier.port}/siteverify`,
      challengeSecret: 'the secret of the site',
    });
    const send = (more: Record<string, unknown>) =>
      post(posthouse, '/sendcontactusform', { ...client, Email: 'v@example.org', Message: 'x', ...more });
    expect((await send({})).body.errors?.[0]?.path).toBe('ChallengeToken');
    expect((await send({ ChallengeToken: 'bad' })).body.errors?.[0]?.path).toBe('ChallengeToken');
    expect((await send({ ChallengeToken: 'odd' })).body.errors?.[0]?.path).toBe('ChallengeToken');
    expect((await send({ ChallengeToken: 'good' })).status).toBe(200);
    expect(asked.map((form) => [form.get('secret'), form.get('response'), form.get('remoteip')])).toEqual([
      ['the secret of the site', 'bad', '127.0.0.1'],
      ['the secret of the site', 'odd', '127.0.0.1'],
      ['the secret of the site', 'good', '127.0.0.1'],
    ]);
    await verifier.stop(true);
  });
});
