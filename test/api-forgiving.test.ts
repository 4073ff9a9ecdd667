import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { addSandboxTarget } from './harness/chat.ts';
import { filesOf } from './harness/files.ts';
import { addMailClient, type MailClient, post } from './harness/mail.ts';
import { addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';
import { tusOf } from './harness/tus.ts';

const PAGE = 'https://app.example';

describe('accepts common variants of requests', () => {
  let posthouse: Posthouse;
  let headers: Record<string, string>;
  let files: ReturnType<typeof filesOf>;
  let target: Awaited<ReturnType<typeof addSandboxTarget>>;
  let client: MailClient;

  beforeAll(async () => {
    const settings = { ...(await freshSettings(BACKENDS[0])), POSTHOUSE_CORS_ORIGINS: PAGE };
    posthouse = await startPosthouse(settings);
    ({ headers } = await addPerson(settings, 'ada@example.org'));
    files = filesOf(posthouse, headers);
    target = await addSandboxTarget(settings, 'forgiving');
    client = await addMailClient(settings, 'forgiving', '--services', 'email,telegram');
  });
  afterAll(() => posthouse.stop());

  const chat = (body: object, more = {}) =>
    post(posthouse, '/api/chatbot/sendmessage', { ...target, message: crypto.randomUUID(), ...body }, more);
  const mail = (body: object, more = {}) =>
    post(posthouse, '/requestemail', { ...client, Subject: 's', Body: 'b', ...body }, more);

  test('names of fields match without regard to case on every service', async () => {
    const { clientId, guildId, channelId } = target;
    const answer = await post(posthouse, '/api/chatbot/sendmessage', {
      CLIENTID: clientId,
      GuildId: guildId,
      channelid: channelId,
      Message: 'x',
    });
    expect(answer.status).toBe(200);
    expect((await mail({ to: 'a@example.org' })).status).toBe(200);
    const created = await files.post('/api/storage/folders', { NAME: 'any case' });
    expect(created.status).toBe(201);
    const twice = await chat({ title: 'a', TITLE: 'b' });
    expect([twice.status, twice.body.errors]).toEqual([
      400,
      [{ path: 'title', message: 'must appear only once' }],
    ]);
  });

  test('null, "" and [] of an optional field mean that it is absent', async () => {
    for (const blank of [null, '', []]) {
      const sent = await chat({ title: blank, level: blank, url: blank, fields: blank, dedupeKey: blank });
      expect([blank, sent.status]).toEqual([blank, 200]);
      const mailed = await mail({
        To: 'a@example.org',
        Cc: blank,
        Bcc: blank,
        ReplyTo: blank,
        From: blank,
        SendAt: blank,
        ListUnsubscribe: blank,
        TemplateName: blank,
        HtmlTemplate: blank,
        Attachments: blank,
      });
      expect([blank, mailed.status]).toEqual([blank, 200]);
    }
    expect((await files.get('/api/storage/files/root?search=&limit=&cursor=')).status).toBe(200);
  });

  test('lists unknown fields in a response header', async () => {
    const sent = await chat({ mesage: 'x', 'Größe "1"': 1 });
    expect([sent.status, sent.headers.get('Posthouse-Ignored-Fields')]).toEqual([
      200,
      '"mesage", "Gr%C3%B6%C3%9Fe \\"1\\""',
    ]);
    const nested = await mail({
      To: 'a@example.org',
      Attachments: [{ FileName: 'a', Content: 'YQ==', Kind: 'x' }],
    });
    expect(nested.headers.get('Posthouse-Ignored-Fields')).toBe('"Attachments.0.Kind"');
    const listed = await files.get('/api/storage/files/root?Limit=1&serch=a');
    expect(listed.headers.get('Posthouse-Ignored-Fields')).toBe('"serch"');
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}`, 1]));
    expect((await chat(many)).headers.get('Posthouse-Ignored-Fields')?.split(', ')).toHaveLength(20);
    expect((await chat({})).headers.has('Posthouse-Ignored-Fields')).toBe(false);
  });

  test('lists unknown fields in error responses too', async () => {
    const named = async (sending: ReturnType<typeof post>) => {
      const { status, headers } = await sending;
      return [status, headers.get('Posthouse-Ignored-Fields')];
    };
    expect(await named(chat({ titel: 'x', level: 'odd' }))).toEqual([400, '"titel"']);
    expect(await named(chat({ titel: 'x', channelId: '1' }))).toEqual([404, '"titel"']);
    const Prefer = 'handling=strict';
    expect(await named(chat({ titel: 'x' }, { Prefer }))).toEqual([400, null]);
  });

  test('a 415 response lists the accepted media types', async () => {
    const sent = async (method: string, path: string) => {
      const answer = await posthouse.fetch(path, {
        method,
        headers: { ...headers, 'Content-Type': 'text/csv' },
        body: 'a;b',
      });
      return [answer.status, answer.headers.get('Accept-Post'), answer.headers.get('Accept-Patch')];
    };
    const { id } = await files.upload('x');
    const forms = 'application/json, application/x-www-form-urlencoded, multipart/form-data';
    expect(await sent('POST', '/api/chatbot/sendmessage')).toEqual([415, 'application/json', null]);
    expect(await sent('POST', '/sendcontactusform')).toEqual([415, forms, null]);
    expect(await sent('POST', '/api/storage/files/root')).toEqual([415, 'multipart/form-data', null]);
    expect(await sent('PATCH', `/api/storage/files/${id}`)).toEqual([415, null, 'application/json']);
  });

  test('a form without a boundary and credentials without a scheme are refused with the correct form', async () => {
    const detail = async (path: string, more: Record<string, string>) => {
      const answer = await posthouse.fetch(path, { method: 'POST', headers: more, body: 'x' });
      return [answer.status, ((await answer.json()) as { detail: string }).detail];
    };
    const type = { 'Content-Type': 'multipart/form-data' };
    const noBoundary =
      'The Content-Type multipart/form-data has no boundary: leave the header to the HTTP library.';
    expect(await detail('/api/storage/files/root', { ...headers, ...type })).toEqual([415, noBoundary]);
    expect(await detail('/sendcontactusform', type)).toEqual([415, noBoundary]);
    const long = { 'Content-Type': `multipart/form-data; boundary=${'x'.repeat(201)}` };
    expect(await detail('/api/storage/files/root', { ...headers, ...long })).toEqual([
      415,
      'The boundary in the Content-Type must have at most 200 characters, and no line ends.',
    ]);
    const token = headers.Authorization?.replace('Bearer ', '') ?? '';
    expect(await detail('/api/storage/folders', { Authorization: token })).toEqual([
      401,
      'Sign in, or send a personal access token as `Authorization: Bearer …`.',
    ]);
  });

  test('Prefer: handling=strict refuses unknown fields', async () => {
    const Prefer = 'respond-async, handling=strict';
    const refused = await chat({ mesage: 'x' }, { Prefer });
    expect([refused.status, refused.body.errors?.map(({ path }) => path)]).toEqual([400, ['mesage']]);
    const taken = await chat({}, { Prefer });
    expect([taken.status, taken.headers.get('Preference-Applied')]).toEqual([
      202,
      'respond-async, handling=strict',
    ]);
    expect((await chat({})).headers.has('Preference-Applied')).toBe(false);
  });

  test('a misspelled name never leaves a file open', async () => {
    const { id } = await files.upload('x');
    const refused = await files.patch(id, { visibility: 1, filePasword: 'p' });
    expect([refused.status, ((await refused.json()) as { errors: object }).errors]).toEqual([
      400,
      [{ path: 'filePasword', message: 'is not a field of this request' }],
    ]);
    const empty = await files.patch(id, { visibility: 1, filePassword: '' });
    expect(empty.status).toBe(400);
    expect(await files.metadata(id)).toMatchObject({ visibility: 0, hasFilePassword: false });
    const protectedFile = await files.change(id, { VISIBILITY: '1', FilePassword: 'p', AccessKey: true });
    expect(protectedFile).toMatchObject({ visibility: 1, hasFilePassword: true, hasAccessKey: true });
    const query = await posthouse.fetch('/api/storage/files/root?filePassword=p', {
      method: 'POST',
      headers,
      body: new FormData(),
    });
    expect(query.status).toBe(400);
  });

  test('in a change, null removes the value of a field, and a blank value leaves it unchanged', async () => {
    const { id } = await files.upload('x', { name: 'kept.txt' });
    await files.change(id, { filePassword: 'p', maxDownloads: 3, accessKey: true });
    const same = { originalName: '', filePassword: '', maxDownloads: '', accessKey: false, expiresAt: [] };
    expect(await files.change(id, same)).toMatchObject({
      originalName: 'kept.txt',
      hasFilePassword: true,
      hasAccessKey: true,
      maxDownloads: 3,
    });
    expect(await files.change(id, { filePassword: null, maxDownloads: null })).toMatchObject({
      hasFilePassword: false,
      maxDownloads: null,
    });
    for (const change of [{ originalName: null }, { visibility: null }]) {
      const refused = await files.patch(id, change);
      expect([change, refused.status]).toEqual([change, 400]);
    }
  });

  test('a resumable upload accepts the secrets of its file, and does not reveal the password', async () => {
    const tus = tusOf(posthouse, headers);
    const path = await tus.begin(3, {
      FileName: 'a.txt',
      visibility: '1',
      filePassword: 'p',
      accessKey: 'true',
    });
    const head = await tus.send('HEAD', path);
    expect(
      head.headers
        .get('Upload-Metadata')
        ?.split(',')
        .map((pair) => pair.split(' ')[0]),
    ).toEqual(['FileName', 'visibility', 'accessKey']);
    const id = (await tus.patch(path, 0, 'abc')).headers.get('Posthouse-File-Id') ?? '';
    const { directToken, accessKeyPlain = '', ...file } = await files.metadata(id);
    expect(file).toMatchObject({ originalName: 'a.txt', visibility: 1, hasFilePassword: true });
    const open = (secrets: Record<string, string>) =>
      posthouse.fetch(`/api/storage/public/media/${directToken}`, { headers: secrets });
    expect((await open({ 'X-Access-Key': accessKeyPlain })).status).toBe(403);
    expect((await open({ 'X-Access-Key': accessKeyPlain, 'X-File-Password': 'p' })).status).toBe(200);
    const misspelt = await tus.create(3, { filename: 'a', visibility: '1', filepasswrd: 'p' });
    expect(misspelt.status).toBe(400);
  });

  test('a resumable upload names unknown metadata, and takes its media type in any spelling', async () => {
    const tus = tusOf(posthouse, headers);
    const created = await tus.create(3, { filename: 'a.txt', relativePath: 'b/a.txt' });
    expect([created.status, created.headers.get('Posthouse-Ignored-Fields')]).toEqual([
      201,
      '"relativePath"',
    ]);
    const fields = {
      ...{ ...headers, 'Tus-Resumable': '1.0.0', 'Upload-Length': '3' },
      'Upload-Metadata': `filename ${btoa('a.txt')},relativePath ${btoa('b')}`,
    };
    const create = async (more: Record<string, string>) => {
      const init = { method: 'POST', headers: { ...fields, ...more }, body: 'abc' };
      const answer = await posthouse.fetch('/api/storage/uploads', init);
      return [answer.status, answer.headers.get('Upload-Offset')];
    };
    const type = 'Application/Offset+Octet-Stream; charset=binary';
    expect(await create({ 'Content-Type': type })).toEqual([201, '3']);
    expect(await create({ 'Content-Type': type, Prefer: 'handling=strict' })).toEqual([400, null]);
    expect(await create({ 'Content-Type': 'text/plain' })).toEqual([415, null]);
    const empty = new ReadableStream({ start: (controller) => controller.close() });
    const init = { method: 'POST', headers: fields, body: empty };
    expect((await posthouse.fetch('/api/storage/uploads', init)).status).toBe(201);
    const path = created.headers.get('Location') ?? '';
    const appended = await posthouse.fetch(path, {
      method: 'PATCH',
      headers: { ...headers, 'Tus-Resumable': '1.0.0', 'Upload-Offset': '0', 'Content-Type': type },
      body: 'abc',
    });
    expect(appended.status).toBe(204);
  });

  test('a password in a header field is read as UTF-8 or ISO-8859-1, and an empty field as absent', async () => {
    const { id, directToken } = await files.upload('x');
    await files.change(id, { visibility: 1, filePassword: 'pä€' });
    const open = async (password: string, query = '') =>
      (
        await posthouse.fetch(`/api/storage/public/media/${directToken}${query}`, {
          headers: { 'X-File-Password': password },
        })
      ).status;
    expect(await open(Buffer.from('pä€').toString('latin1'))).toBe(200);
    expect(await open('', `?filePassword=${encodeURIComponent('pä€')}`)).toBe(200);
    await files.change(id, { filePassword: 'pä' });
    expect(await open('pä')).toBe(200);
  });

  test('recipients are accepted in every form that mail APIs use', async () => {
    const addresses = async (fields: object) =>
      (await mail(fields)).body.Recipients?.map(({ Address }) => Address);
    const [a, b] = ['a@example.org', 'b@example.org'];
    for (const To of [
      `${a}, ${b}`,
      `${a}; "B, the second" <${b}>,`,
      [a, { address: b, NAME: 'B "the" second, or \\' }],
      [`A <${a}>, ${b}`],
    ])
      expect([To, await addresses({ To })]).toEqual([To, [a, b]]);
    expect(await addresses({ To: { Address: a } })).toEqual([a]);
    expect(await addresses({ Bcc: a })).toEqual([a]);
    const nobody = await mail({ To: [] });
    expect([nobody.status, nobody.body.errors]).toEqual([
      400,
      [{ path: 'To', message: 'is required, or Cc or Bcc' }],
    ]);
    expect((await mail({ To: `"${a}, ${b}` })).status).toBe(400);
    const unquoted = await mail({ To: `Doe, Jane <${a}>` });
    expect([unquoted.status, JSON.stringify(unquoted.body.errors)]).toEqual([
      400,
      expect.stringContaining('names with a comma need quotes'),
    ]);
  });

  test('Location has the status of a waiting message', async () => {
    const Prefer = 'respond-async';
    const chatted = await chat({}, { Prefer });
    expect([chatted.status, chatted.headers.get('Location')]).toEqual([
      202,
      `/api/chatbot/messages/${(chatted.body as unknown as { id: string }).id}`,
    ]);
    const mailed = await mail({ To: 'a@example.org' }, { Prefer });
    expect([mailed.status, mailed.headers.get('Location')]).toEqual([202, `/messages/${mailed.body.Id}`]);
  });

  test('pages of allowed origins use tokens, and read the status of messages', async () => {
    const from = async (path: string, init: RequestInit & { headers: Record<string, string> }) => {
      const answer = await posthouse.fetch(path, { ...init, headers: { Origin: PAGE, ...init.headers } });
      return [answer.status, answer.headers.get('Access-Control-Allow-Origin')];
    };
    const preflight = { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'PATCH' } };
    for (const path of ['/api/storage/files/root', '/api/storage/folders', '/api/storage/uploads', '/api/me'])
      expect([path, await from(path, preflight)]).toEqual([path, [204, PAGE]]);
    expect(await from('/api/storage/files/root', { headers })).toEqual([200, PAGE]);
    expect(await from('/api/me', { headers })).toEqual([200, PAGE]);
    expect(await from('/api/storage/files/root', { headers: {} })).toEqual([401, null]);
    const other = { headers: { ...headers, Origin: 'https://evil.example' } };
    expect(await from('/api/storage/files/root', other)).toEqual([200, null]);
    expect(await from('/api/storage/public/media/none', { headers: {} })).toEqual([404, '*']);
    const { id } = (await chat({}, { Prefer: 'respond-async' })).body as unknown as { id: string };
    expect(await from(`/api/chatbot/messages/${id}`, { headers: {} })).toEqual([200, PAGE]);
  });

  test('a token downloads bytes whether or not the request comes from a page', async () => {
    const { id } = await files.upload('all bytes');
    for (const more of [{}, { Origin: PAGE }] as Record<string, string>[]) {
      const content = await posthouse.fetch(`/api/storage/files/${id}/content`, {
        headers: { ...headers, ...more },
      });
      expect([content.status, await content.text()]).toEqual([200, 'all bytes']);
      expect(content.headers.get('Access-Control-Expose-Headers')).toContain('Posthouse-Ignored-Fields');
      const zip = await posthouse.fetch('/api/storage/export/root', { headers: { ...headers, ...more } });
      expect(Buffer.from(await zip.bytes()).toString('latin1')).toContain('all bytes');
    }
  });

  test('fixed names that could be ids may have any letter case', async () => {
    const made = await files.post('/api/storage/links', { folderId: 'root', access: 'both' });
    const { token } = (await made.json()) as { token: string };
    const form = new FormData();
    form.set('file', new Blob(['sent']), 'sent.txt');
    const sent = await posthouse.fetch(`/public/folder/${token}/Files`, { method: 'POST', body: form });
    expect([sent.status, await sent.json()]).toMatchObject([200, { files: [{ name: 'sent.txt' }] }]);
    expect((await posthouse.fetch(`/public/folder/${token}/Export`)).status).toBe(200);
    const fields = { 'Upload-Length': '1', 'Upload-Metadata': `filename ${btoa('a.txt')}` };
    const upload = { method: 'POST', headers: { 'Tus-Resumable': '1.0.0', ...fields } };
    expect((await posthouse.fetch(`/public/folder/${token}/UPLOADS`, upload)).status).toBe(201);
  });

  test('pages of allowed origins may use every spelling of a path', async () => {
    const media = await posthouse.fetch('/api/storage/PUBLIC/media/x', {
      method: 'OPTIONS',
      headers: { Origin: 'https://any.example', 'Access-Control-Request-Method': 'GET' },
    });
    expect(media.headers.get('Access-Control-Allow-Origin')).toBe('*');
    const spellings = [
      '/API/Storage/files/root',
      '/api/me/',
      '/api/chatbot/SendMessage',
      '/sendcontactusform/',
    ];
    for (const path of spellings) {
      const answer = await posthouse.fetch(path, {
        method: 'OPTIONS',
        headers: { Origin: PAGE, 'Access-Control-Request-Method': 'POST' },
      });
      expect([path, answer.status, answer.headers.get('Access-Control-Allow-Origin')]).toEqual([
        path,
        204,
        PAGE,
      ]);
    }
  });

  test('messages for invalid fields are plain words', async () => {
    const answer = await chat({ clientId: undefined, message: 1, level: 'loud', fields: [{ value: 'x' }] });
    expect(answer.body.errors).toEqual([
      { path: 'clientId', message: 'is required' },
      { path: 'message', message: 'must be a string' },
      { path: 'level', message: 'must be one of info, success, warning, error' },
      { path: 'fields.0.name', message: 'is required' },
    ]);
    const { body } = await mail({ Body: 1 });
    expect(JSON.stringify(body.errors)).not.toMatch(/Invalid|expected|received|Too /);
    const telegram = await post(posthouse, '/requesttelegram', { ...client, Message: 'x' });
    expect(telegram.body.errors).toEqual([{ path: 'Recipients', message: 'is required' }]);
  });

  test('messages for invalid fields of storage name the valid values', async () => {
    const errors = async (answer: Response) => [
      answer.status,
      ((await answer.json()) as { errors?: object[] }).errors,
    ];
    const time = 'an ISO 8601 time with its offset, such as 2026-01-31T12:00:00Z';
    const { id } = await files.upload('x');
    for (const expiresAt of ['2099-01-01', '2099-01-01T12:00:00', 4_070_908_800])
      expect(await errors(await files.patch(id, { expiresAt }))).toEqual([
        400,
        [{ path: 'expiresAt', message: `must be ${time}` }],
      ]);
    expect(await errors(await files.get('/api/storage/search?query=a&after=yesterday&type=pdf'))).toEqual([
      400,
      [
        { path: 'type', message: 'must be one of image, video, audio, document, archive, other' },
        { path: 'after', message: `must be a date, or ${time}` },
      ],
    ]);
    expect(await errors(await files.patch(id, { originalName: 'a', onConflict: 'overwrite' }))).toEqual([
      400,
      [{ path: 'onConflict', message: 'must be one of keep, rename, replace, fail' }],
    ]);
    const link = (body: object) => files.post('/api/storage/links', body);
    expect(await errors(await link({ folderId: 'root', access: 'edit' }))).toEqual([
      400,
      [{ path: 'access', message: 'must be one of view, upload, both' }],
    ]);
    expect(await errors(await link({ folderId: 'root', fileIds: [id] }))).toEqual([
      400,
      [{ path: 'folderId', message: 'must not be given together with fileIds' }],
    ]);
  });
});
