import { beforeAll, describe, expect, test } from 'bun:test';
import { freshSettings } from './harness/backends.ts';
import { signIn } from './harness/browser.ts';
import { addPerson, type Posthouse, runJson, startPosthouse } from './harness/posthouse.ts';

describe('trying the Telegram bot from the admin pages', () => {
  let posthouse: Posthouse;
  let admin: Record<string, string>;
  let user: Record<string, string>;
  beforeAll(async () => {
    posthouse = await startPosthouse(await freshSettings('sqlite+local'));
    await runJson(posthouse.settings, 'user', 'add', '--email', 'ada@example.org', '--password', 'correct horse battery', '--admin');
    await addPerson(posthouse.settings, 'bob@example.org');
    admin = (await signIn(posthouse, 'ada@example.org')).headers;
    user = (await signIn(posthouse, 'bob@example.org')).headers;
  });

  const attempt = (body: unknown, headers: Record<string, string>) =>
    posthouse.fetch('/api/admin/mail/test-telegram', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const good = { to: '@my_channel', message: 'Hello <b>' };

  test('without a bot the message is kept, with the text as it was given', async () => {
    const answer = await attempt(good, admin);
    expect(answer.status).toBe(200);
    const { Id, sandbox } = (await answer.json()) as { Id: string; sandbox: boolean };
    expect(sandbox).toBe(true);
    const message = (await (await posthouse.fetch(`/api/admin/messages/${Id}`, { headers: admin })).json()) as Record<string, unknown>;
    expect(message).toMatchObject({
      kind: 'telegram',
      title: 'Hello <b>',
      to: ['@my_channel'],
      status: 'sent',
      sandbox: true,
      clientId: null,
    });
  });

  test.each([
    [{ to: '@my_channel' }, 'message'],
    [{ message: 'x' }, 'to'],
    [{ to: 5, message: 'x' }, 'to'],
    [{ to: 'not a chat', message: 'x' }, 'Recipients.0'],
    [{ to: '@my_channel', message: '' }, 'Message'],
  ])('%j is refused, naming the field', async (body, path) => {
    const answer = await attempt(body, admin);
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { errors: { path: string }[] }).errors[0]?.path).toBe(path);
  });

  test('only administrators try it', async () => {
    expect((await attempt(good, {})).status).toBe(401);
    expect((await attempt(good, user)).status).toBe(403);
  });
});
