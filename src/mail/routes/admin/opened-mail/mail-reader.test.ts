import { afterAll, expect, test } from 'bun:test';
import { createLog } from '../../../../kernel/log.ts';
import { createMailReader } from './mail-reader.ts';

const reader = createMailReader({ log: createLog('silent') });
afterAll(() => reader.stop());

const mail = (attachment: Buffer) =>
  Buffer.from(
    `${[
      'Subject: =?utf-8?q?=C3=BC?=',
      'MIME-Version: 1.0',
      'Content-Type: multipart/related; boundary=x',
      '',
      '--x',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<img src="cid:p">',
      '--x',
      'Content-Type: image/png; name=p.png',
      'Content-Disposition: attachment; filename=p.png',
      'Content-ID: <p>',
      'Content-Transfer-Encoding: base64',
      '',
      attachment.toString('base64').replace(/.{76}/g, '$&\r\n'),
      '--x--',
    ].join('\r\n')}\r\n`,
  );

test.each([
  ['small', 10],
  ['large', 1_000_000],
])('a %s e-mail is read', async (_, size) => {
  const bytes = Buffer.alloc(size, 'ab');
  const mime = mail(bytes);
  expect(await reader.content(mime)).toMatchObject({
    headers: expect.arrayContaining([{ name: 'Subject', value: 'ü' }]),
    hasHtml: true,
    attachments: [{ fileName: 'p.png', contentType: 'image/png', sizeBytes: size, contentId: 'p' }],
  });
  const html = Buffer.from((await reader.html(mime)) ?? []).toString();
  expect(html).toContain(`data:image/png;base64,${bytes.toString('base64')}`);
  const attachment = await reader.attachment(mime, 0);
  expect(attachment?.name).toBe('p.png');
  expect(bytes.equals(attachment?.bytes ?? new Uint8Array())).toBe(true);
  expect(await reader.attachment(mime, 1)).toBeNull();
});

test('the event loop keeps running while an e-mail of 24 MB is parsed', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const { attachments } = await reader.content(mail(Buffer.alloc(18_000_000, 'ab')));
  clearInterval(timer);
  expect(attachments[0]?.sizeBytes).toBe(18_000_000);
  expect(turns).toBeGreaterThan(20);
});
