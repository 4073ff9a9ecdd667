import { expect, test } from 'bun:test';
import { sql } from 'kysely';
import { freshSettings } from './harness/backends.ts';
import { foundationOf } from './harness/foundation.ts';
import { jsonOf } from './harness/json.ts';
import { addPerson, openSession, startPosthouse } from './harness/posthouse.ts';
import { until } from './harness/until.ts';
import { startSmtpStandIn } from './stand-ins/smtp.ts';

/** Starts a server that sends e-mails. `afterTenMinutes` has the same effect as ten minutes that pass. */
async function startWithMails() {
  const smtp = await startSmtpStandIn({ tls: 'none' });
  const posthouse = await startPosthouse({
    ...(await freshSettings()),
    POSTHOUSE_SMTP_URL: `smtp://${smtp.host}:${smtp.port}`,
    POSTHOUSE_MAIL_FROM: 'Posthouse <posthouse@example.org>',
  });
  const { database } = await foundationOf(posthouse.settings);
  const afterTenMinutes = async () => {
    const earlier = (column: 'notice_at' | 'date_created') => sql<number>`${sql.ref(column)} - 600000`;
    await database.transaction(async (trx) => {
      await trx
        .updateTable('links')
        .set({ notice_at: earlier('notice_at') })
        .execute();
      await trx
        .updateTable('files')
        .set({ date_created: earlier('date_created') })
        .execute();
    });
    // The server adds the row of the task some seconds after its start.
    await until(async () => {
      const task = database.transaction((trx) =>
        trx
          .updateTable('upkeep')
          .set({ due_at: 0 })
          .where('id', '=', 'notices of links')
          .executeTakeFirstOrThrow(),
      );
      return (await task).numUpdatedRows > 0n;
    });
  };
  const stop = async () => {
    await posthouse.stop();
    await smtp.stop();
  };
  return { smtp, posthouse, database, afterTenMinutes, stop };
}

test('the creator of a link gets an e-mail about the files that visitors sent within ten minutes', async () => {
  const { smtp, posthouse, database, afterTenMinutes, stop } = await startWithMails();
  const owner = await addPerson(posthouse.settings, 'ann@example.org');
  const call = jsonOf(posthouse, owner);
  const { id: folderId } = (await call('POST', '/api/storage/folders', { name: 'Inbox <b>' })).body;
  const { body: link } = await call<{ id: string; token: string }>('POST', '/api/storage/links', {
    folderId,
    access: 'upload',
  });
  const form = new FormData();
  form.append('uploaderName', 'Eve <i>');
  for (let index = 0; index < 12; index++) form.append('file', new Blob(['x']), `{{ photo }} ${index}.jpg`);
  await posthouse.fetch(`/public/folder/${link.token}/files`, { method: 'POST', body: form });

  const rows = database.read.selectFrom('links').select(['notice_at', 'date_created', 'noticed_uploads']);
  const { notice_at, date_created } = await rows.executeTakeFirstOrThrow();
  const gatheredMs = (notice_at ?? 0) - date_created;
  expect([gatheredMs >= 600_000, gatheredMs < 660_000]).toEqual([true, true]);
  await afterTenMinutes();
  const { parsed } = await smtp.arrived((mail) => mail.to.includes('ann@example.org'));
  expect(parsed.subject).toBe('12 files arrived in “Inbox <b>”');
  expect(parsed.text).toContain('- {{ photo }} 0.jpg from Eve <i>');
  expect(parsed.text).toContain('- and 2 more');
  expect(parsed.text).toContain(`/files/${folderId}`);
  expect(String(parsed.html)).toContain('Eve &lt;i&gt;');
  await until(async () => (await rows.executeTakeFirstOrThrow()).notice_at === null);
  expect((await rows.executeTakeFirstOrThrow()).noticed_uploads).toBe(12);
  await stop();
});

test('the notice is in the chosen language, or else in that of the last browser', async () => {
  const { smtp, posthouse, afterTenMinutes, stop } = await startWithMails();
  const people = [
    ['german', 'de-AT,de;q=0.9,en;q=0.5', undefined, '1 Datei in „Inbox“ angekommen'],
    ['chosen', 'de', 'en', '1 file arrived in “Inbox”'],
    ['program', undefined, undefined, '1 file arrived in “Inbox”'],
  ] as const;
  for (const [name, preferred, language] of people) {
    const email = `${name}@example.org`;
    const person = await addPerson(posthouse.settings, email);
    const session = await openSession(posthouse, email);
    const used = (headers: Record<string, string>) => posthouse.fetch('/api/me', { headers });
    if (preferred) await used({ ...session.headers, 'Accept-Language': preferred });
    // Neither a program without a preference nor one with a token is a browser.
    await used(session.headers);
    await used({ ...person.headers, 'Accept-Language': name === 'program' ? 'de' : '*' });
    const call = jsonOf(posthouse, session);
    if (language) await call('PATCH', '/api/account', { language });
    const { id: folderId } = (await call('POST', '/api/storage/folders', { name: 'Inbox' })).body;
    const { body } = await call<{ token: string }>('POST', '/api/storage/links', {
      folderId,
      access: 'upload',
    });
    const form = new FormData();
    form.append('file', new Blob(['x']), 'photo.jpg');
    await posthouse.fetch(`/public/folder/${body.token}/files`, { method: 'POST', body: form });
  }
  await afterTenMinutes();
  for (const [name, , , subject] of people) {
    const { parsed } = await smtp.arrived((mail) => mail.to.includes(`${name}@example.org`));
    expect(parsed.subject).toBe(subject);
  }
  await stop();
});
