import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import sharp from 'sharp';
import { freshSettings, ONE_BACKEND } from './harness/backends.ts';
import { addChatRig, type ChatChannel } from './harness/chat.ts';
import { postJson, sendJson } from './harness/json.ts';
import { addFullMailClient, type MailClient } from './harness/mail.ts';
import { addPerson, openSession, type Posthouse, startPosthouse } from './harness/posthouse.ts';
import { until } from './harness/until.ts';
import { type DiscordStandIn, startDiscord } from './stand-ins/discord.ts';

/*
 * The published API, row by row: exact methods, paths, field names and letter case. Existing clients
 * must keep working, so a change here is a change of the API.
 */

const GUID = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
) as string;
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const TOKEN = expect.stringMatching(/^[\w-]{22,}$/) as string;
const TEXT = 'the bytes';

interface UploadRecord {
  Id: string;
}
interface Metadata {
  directToken: string;
  uiToken: string;
  accessKeyPlain: string;
  folderId: string;
  thumbnailPath: string | null;
}

describe.each(ONE_BACKEND)('the fixed rows on %s', (backend) => {
  let posthouse: Posthouse;
  let discord: DiscordStandIn;
  let headers: Record<string, string>;
  let channel: ChatChannel;
  let client: MailClient;
  let folderId: string;

  beforeAll(async () => {
    discord = await startDiscord({ limits: { global: { requests: 10_000, windowMs: 1_000 } } });
    const settings = { ...(await freshSettings(backend)), POSTHOUSE_DISCORD_API_URL: discord.url };
    posthouse = await startPosthouse(settings);
    const { email } = await addPerson(settings, 'ada@example.org');
    headers = (await openSession(posthouse, email)).headers;
    channel = await (await addChatRig(settings, discord)).addChannel();
    client = await addFullMailClient(settings, 'us@example.org');
    folderId = ((await json(await get('/api/me'))) as { rootFolderId: string }).rootFolderId;
  });
  afterAll(async () => {
    await posthouse.stop();
    await discord.stop();
  });

  const json = async (answer: Response): Promise<unknown> => await answer.json();
  const get = (path: string) => posthouse.fetch(path, { headers });
  const sendForm = (
    path: string,
    content: string | Uint8Array<ArrayBuffer>,
    name: string,
    fields: Record<string, string> = {},
  ) => {
    const form = new FormData();
    form.set('file', new Blob([content]), name);
    for (const [field, value] of Object.entries(fields)) form.set(field, value);
    return posthouse.fetch(path, { method: 'POST', headers, body: form });
  };
  const upload = async (
    name = 'a.txt',
    content: string | Uint8Array<ArrayBuffer> = TEXT,
    folder = folderId,
  ) => ((await json(await sendForm(`/api/storage/files/${folder}`, content, name))) as UploadRecord).Id;
  const change = async (id: string, body: object) => {
    const answer = await sendJson(posthouse, 'PATCH', `/api/storage/files/${id}`, body, headers);
    return (await json(answer)) as Metadata;
  };
  const newFolder = async (name: string) => {
    const answer = await postJson(
      posthouse,
      '/api/storage/folders',
      { name, parentFolderId: folderId },
      headers,
    );
    return ((await json(answer)) as { id: string }).id;
  };
  const record = (more: object) => ({
    Id: GUID,
    OriginalName: 'a.txt',
    SizeBytes: 9,
    MimeType: 'text/plain',
    Visibility: 0,
    DateCreated: TIME,
    ThumbnailPath: null,
    HasFilePassword: false,
    HasAccessKey: false,
    ...more,
  });
  const item = (more: object) => ({
    id: GUID,
    originalName: 'a.txt',
    sizeBytes: 9,
    mimeType: 'text/plain',
    visibility: 0,
    dateCreated: TIME,
    thumbnailPath: null,
    hasFilePassword: false,
    hasAccessKey: false,
    folderId: GUID,
    workspaceId: GUID,
    dateModified: TIME,
    sha256: new Bun.CryptoHasher('sha256').update(TEXT).digest('hex'),
    expiresAt: null,
    maxDownloads: null,
    downloadCount: 0,
    sharedBy: null,
    ...more,
  });
  const metadata = (more: object) => item({ directToken: TOKEN, uiToken: TOKEN, ...more });

  describe('storage', () => {
    test('the upload record', async () => {
      const answer = await sendForm(`/api/storage/files/${folderId}`, TEXT, 'b.txt', {
        originalName: 'a.txt',
      });
      expect(answer.status).toBe(201);
      expect(await json(answer)).toEqual(record({}));
    });

    test('GET /api/storage/files/{folderId}', async () => {
      const folder = await newFolder('listed');
      const id = await upload('a.txt', TEXT, folder);
      await change(id, { filePassword: 'secret', accessKey: true });
      const answer = await get(`/api/storage/files/${folder}`);
      expect(answer.status).toBe(200);
      expect(await json(answer)).toEqual([
        item({ id, folderId: folder, hasFilePassword: true, hasAccessKey: true }),
      ]);
    });

    test('the metadata of a file', async () => {
      const id = await upload();
      const answer = await get(`/api/storage/files/${id}/metadata`);
      expect(answer.status).toBe(200);
      expect(await json(answer)).toEqual(metadata({ id }));
      await change(id, { accessKey: true });
      expect(await json(await get(`/api/storage/files/${id}/metadata`))).toEqual(
        metadata({ id, hasAccessKey: true, accessKeyPlain: TOKEN }),
      );
    });

    test('GET /api/storage/files/{fileId}/content', async () => {
      const answer = await get(`/api/storage/files/${await upload()}/content`);
      expect([answer.status, await answer.text()]).toEqual([200, TEXT]);
    });

    test('GET /api/storage/files/{fileId}/thumbnail', async () => {
      const none = await get(`/api/storage/files/${await upload()}/thumbnail`);
      expect(none.status).toBe(404);
      expect(await json(none)).toMatchObject({ code: 'no_thumbnail' });
      const pixels = sharp({ create: { width: 8, height: 8, channels: 3, background: '#ff0000' } });
      const id = await upload('red.png', new Uint8Array(await pixels.png().toBuffer()));
      const path = `/api/storage/files/${id}/thumbnail`;
      const metadata = (await json(await get(`/api/storage/files/${id}/metadata`))) as Metadata;
      expect(metadata.thumbnailPath).toBe(path);
      await until(async () => (await get(path)).status === 200);
    });

    test('POST /api/storage/files/{fileId}/replace', async () => {
      const id = await upload();
      const answer = await sendForm(`/api/storage/files/${id}/replace`, 'other bytes', 'b.txt', {
        originalName: 'c.txt',
      });
      expect(answer.status).toBe(200);
      expect(await json(answer)).toEqual(record({ Id: id, OriginalName: 'c.txt', SizeBytes: 11 }));
    });

    test('POST /api/storage/files/{fileId}/move', async () => {
      const [id, folder] = [await upload(), await newFolder('target')];
      const answer = await postJson(
        posthouse,
        `/api/storage/files/${id}/move`,
        { targetFolderId: folder },
        headers,
      );
      expect(answer.status).toBe(200);
      expect(await json(answer)).toEqual(metadata({ id, folderId: folder }));
    });

    test('DELETE /api/storage/files/{fileId}', async () => {
      const id = await upload();
      const answer = await posthouse.fetch(`/api/storage/files/${id}`, { method: 'DELETE', headers });
      expect([answer.status, await answer.text()]).toEqual([204, '']);
      expect((await get(`/api/storage/files/${id}/metadata`)).status).toBe(404);
    });

    test('GET /api/storage/usage/folder/{folderId} and GET /api/storage/export/{folderId}', async () => {
      const folder = await newFolder('exported');
      expect((await get(`/api/storage/export/${folder}`)).status).toBe(204);
      await upload('a.txt', TEXT, folder);
      const usage = await get(`/api/storage/usage/folder/${folder}`);
      expect(usage.status).toBe(200);
      expect(await json(usage)).toEqual({ folderId: folder, usedBytes: 9, fileCount: 1, folderCount: 0 });
      const zip = await get(`/api/storage/export/${folder}`);
      expect([zip.status, zip.headers.get('Content-Type')]).toEqual([200, 'application/zip']);
      const bytes = await zip.bytes();
      expect(zip.headers.get('Content-Length')).toBe(String(bytes.length));
      expect(Buffer.from(bytes.subarray(0, 4)).toString('latin1')).toBe('PK\u0003\u0004');
    });

    test('the anonymous downloads of a file', async () => {
      const id = await upload();
      const { directToken, uiToken, accessKeyPlain } = await change(id, {
        accessKey: true,
        filePassword: 'pass word',
      });
      const secrets = `accessKey=${accessKeyPlain}&filePassword=pass+word`;
      for (const path of [
        `/api/storage/public/media/${directToken}?${secrets}`,
        `/api/storage/public/private/${id}?key=${accessKeyPlain}&filePassword=pass%20word`,
        `/public/media/${uiToken}?${secrets}`,
      ]) {
        const answer = await posthouse.fetch(path);
        expect([answer.status, await answer.text()]).toEqual([200, TEXT]);
        const refused = await posthouse.fetch(path.replace(/\?.*/, ''));
        expect(refused.status).toBe(403);
        expect(await json(refused)).toMatchObject({ code: 'access_key_required' });
      }
      const page = await posthouse.fetch(`/public/file/${uiToken}`);
      expect([page.status, page.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
    });
  });

  describe('chat', () => {
    test('POST /api/chatbot/sendmessage', async () => {
      const body = { ...channel.target, title: 'A title', message: 'A message', anything: 'else' };
      const answer = await postJson(posthouse, '/api/chatbot/sendmessage', body);
      expect(answer.status).toBe(200);
      const platformMessageId = discord.world.messagesIn(channel.channel.id).at(-1)?.id ?? '';
      expect(await json(answer)).toEqual({
        id: GUID,
        status: 'sent',
        platformMessageId,
        url: expect.stringContaining(`/${channel.channel.id}/${platformMessageId}`),
      });
      const untitled = await postJson(posthouse, '/api/chatbot/sendmessage', {
        ...channel.target,
        title: '',
        message: 'No title',
      });
      expect(untitled.status).toBe(200);
    });

    test('POST /api/chatbot/canSendMessage', async () => {
      const answer = await postJson(posthouse, '/api/chatbot/canSendMessage', channel.target);
      expect(answer.status).toBe(200);
      expect(await json(answer)).toEqual({ canSend: true, reason: null, detail: expect.any(String) });
    });

    test.each(['/api/chatbot/ping', '/Ping/test', '/api/Ping/test'])('GET %s', async (path) => {
      await expectPong(path);
    });
  });

  describe('mail', () => {
    const answered = { Id: GUID, Status: 'Sent', sandbox: true };

    test('POST /requestemail', async () => {
      const answer = await postJson(posthouse, '/requestemail', {
        ...client,
        To: 'a@example.org',
        Subject: 'Hello',
        Body: 'Text',
      });
      expect(answer.status).toBe(200);
      expect(await json(answer)).toEqual({
        ...answered,
        MessageId: expect.stringMatching(/^<[^@>]+@[^>]+>$/),
        Recipients: [{ Address: 'a@example.org', Status: 'Sent', Error: null }],
      });
    });

    test('POST /requesttelegram', async () => {
      const answer = await postJson(posthouse, '/requesttelegram', {
        ...client,
        Recipients: ['@channel_one'],
        Message: 'Text',
      });
      expect(answer.status).toBe(200);
      expect(await json(answer)).toEqual({
        ...answered,
        MessageId: null,
        Recipients: [{ Address: '@channel_one', Status: 'Sent', Error: null }],
      });
    });

    test.each(['application/json', 'application/x-www-form-urlencoded'])(
      'POST /sendcontactusform in %s',
      async (type) => {
        const form = {
          ...client,
          Email: 'visitor@example.org',
          Message: 'Hello',
          Name: 'A visitor',
          Phone: '1',
          Subject: 'A question',
        };
        const answer = await posthouse.fetch('/sendcontactusform', {
          method: 'POST',
          headers: { 'Content-Type': type },
          body: type === 'application/json' ? JSON.stringify(form) : new URLSearchParams(form).toString(),
        });
        expect(answer.status).toBe(200);
        const sent = (await json(answer)) as Record<string, unknown>;
        expect(sent).toEqual({
          ...answered,
          MessageId: expect.stringMatching(/^<[^@>]+@[^>]+>$/),
          // Callers must not see the recipients.
          Recipients: [],
        });
        const authorization = `Basic ${btoa(`${client.ClientId}:${client.ClientSecret}`)}`;
        const state = await posthouse.fetch(`/messages/${sent.Id}`, {
          headers: { Authorization: authorization },
        });
        expect(await json(state)).toMatchObject({ Status: 'Sent', Recipients: [] });
      },
    );

    test('GET /Ping', () => expectPong('/Ping'));
  });

  async function expectPong(path: string): Promise<void> {
    const answer = await posthouse.fetch(path);
    expect([answer.status, answer.headers.get('Content-Type')?.split(';')[0], await answer.text()]).toEqual([
      200,
      'text/plain',
      'Pong',
    ]);
  }
});
