import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { filesOf } from './harness/files.ts';
import { addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';

describe.each(BACKENDS)('concurrent anonymous requests on %s', (backend) => {
  let posthouse: Posthouse;
  let files: ReturnType<typeof filesOf>;
  beforeAll(async () => {
    const settings = await freshSettings(backend);
    posthouse = await startPosthouse({ ...settings, POSTHOUSE_TRUSTED_PROXIES: '127.0.0.1' });
    files = filesOf(posthouse, (await addPerson(settings, 'ada@example.org')).headers);
  });
  afterAll(() => posthouse.stop());

  const codeOf = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await posthouse.fetch(path, { headers });
    return answer.status === 200 ? await answer.text() : ((await answer.json()) as { code: string }).code;
  };
  const count = (answers: string[], wanted: string) => answers.filter((answer) => answer === wanted).length;

  test('concurrent wrong passwords are checked no more often than the limit', async () => {
    const { id, directToken } = await files.upload('text');
    await files.change(id, { visibility: 1, filePassword: 'right' });
    const path = `/api/storage/public/media/${directToken}`;
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        codeOf(path, { 'X-File-Password': index === 29 ? 'right' : `wrong ${index}` }),
      ),
    );
    expect(count(answers, 'file_password_wrong')).toBe(10);
    expect(count(answers, 'too_many_attempts')).toBe(20);
    expect(await codeOf(path, { 'X-File-Password': 'right', 'X-Forwarded-For': '192.0.2.7' })).toBe('text');
  });

  test('simultaneous wrong passwords are counted together by all nodes', async () => {
    const { id, directToken } = await files.upload('text');
    await files.change(id, { visibility: 1, filePassword: 'right' });
    const path = `/api/storage/public/media/${directToken}`;
    const guesses = Array.from({ length: 30 }, (_, index) =>
      codeOf(path, { 'X-File-Password': `wrong ${index}` }),
    );
    const answers = await Promise.all(guesses);
    expect(count(answers, 'file_password_wrong')).toBe(10);
    expect(count(answers, 'too_many_attempts')).toBe(20);
    expect(await codeOf(path, { 'X-File-Password': 'right' })).toBe('too_many_attempts');
  });

  test('a hundred wrong passwords in total block everyone but the owner, until the secret changes', async () => {
    const { id, directToken } = await files.upload('text');
    const { accessKeyPlain = '' } = await files.change(id, { visibility: 1, accessKey: true });
    const path = `/api/storage/public/media/${directToken}`;
    for (let address = 0; address < 10; address++) {
      const headers = { 'X-Access-Key': 'wrong', 'X-Forwarded-For': `192.0.2.${address}` };
      for (let guess = 0; guess < 10; guess++) expect(await codeOf(path, headers)).toBe('access_key_wrong');
    }
    const fresh = { 'X-Forwarded-For': '198.51.100.1' };
    expect(await codeOf(path, { ...fresh, 'X-Access-Key': accessKeyPlain })).toBe('too_many_attempts');
    expect((await files.get(`/api/storage/files/${id}/content`)).status).toBe(200);
    const renewed = await files.change(id, { accessKey: true });
    expect(await codeOf(path, { ...fresh, 'X-Access-Key': renewed.accessKeyPlain ?? '' })).toBe('text');
  });

  test('concurrent downloads do not exceed the download limit', async () => {
    const { id, directToken } = await files.upload('text');
    await files.change(id, { visibility: 1 });
    const path = `/api/storage/public/media/${directToken}`;
    expect(await codeOf(path, { 'User-Agent': 'before the limit' })).toBe('text');
    await files.change(id, { maxDownloads: 3 });
    const visit = (visitor: number) => codeOf(path, { 'User-Agent': `visitor ${visitor % 10}` });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, visitor) => visit(visitor)));
    // Each visitor sends two requests: both succeed or both fail.
    expect([count(answers, 'text'), count(answers, 'download_limit_reached')]).toEqual([6, 14]);
    expect(answers.slice(0, 10)).toEqual(answers.slice(10));
    expect(await files.metadata(id)).toMatchObject({ downloadCount: 3, maxDownloads: 3 });
    const served = answers.indexOf('text');
    expect(await visit(served)).toBe('text');
    await files.change(id, { maxDownloads: 4 });
    expect(await codeOf(path, { 'User-Agent': 'one more' })).toBe('text');
    expect(await codeOf(path, { 'User-Agent': 'too late' })).toBe('download_limit_reached');
  });
});
