import { join } from 'node:path';
import { addPerson, openSession } from '../../test/harness/accounts.ts';
import { runJson } from '../../test/harness/command.ts';
import { filesOf, type Metadata } from '../../test/harness/files.ts';
import type { Posthouse } from '../../test/harness/process.ts';
import { addChannels, UNLIMITED_CHAT } from './messages.ts';
import { multipart } from './multipart.ts';

/** One kind of request of a mix. */
export interface Work {
  name: string;
  /** Share of all requests, in percent. */
  share: number;
  /** True = the server needs little work for it, so that its time shows delays by other requests. */
  isSmall: boolean;
  /** Sends a request and reads the response. @throws Error for an unexpected status */
  send(): Promise<unknown>;
}

const MB = 1_048_576;
const LARGE = 20 * MB;
const RANGE = 65_536;
/** Number of uploaded files that are kept. */
const KEPT = 200;
const LISTED = 100;
const DELETED = 204;

/** Returns the settings of a server that runs the mix for long: deleted bytes leave the disk at once. */
export function settingsOf(directory: string): Record<string, string> {
  return {
    POSTHOUSE_DATA_DIR: join(directory, 'data'),
    POSTHOUSE_LOG_LEVEL: 'warn',
    POSTHOUSE_WORKSPACE_BYTES: String(2 ** 40),
    POSTHOUSE_TRASH_DAYS: '0',
    ...UNLIMITED_CHAT,
  };
}

/** Creates files, an account and a chat channel. Returns requests to all services, whose shares add up to 100. */
export async function createMix(posthouse: Posthouse): Promise<Work[]> {
  const person = await addPerson(posthouse.settings, 'bench@example.org');
  const session = await openSession(posthouse, person.email);
  const files = filesOf(posthouse, person.headers);
  const shared = async (size: number) =>
    await files.change((await files.upload(Buffer.alloc(size, 'Posthouse'))).id, { visibility: 1 });
  const [small, large] = [await shared(1_024), await shared(LARGE)];
  const folder = (await (await files.post('/api/storage/folders', { name: 'listed' })).json()) as {
    id: string;
  };
  for (let index = 0; index < LISTED; index++)
    await files.upload('x', { name: `${index}.txt`, folder: folder.id });
  await addChannels((...words) => runJson(posthouse.settings, ...words), 1);
  const chat = { clientId: 'bench', guildId: '1', channelId: '0' };
  const script = await scriptOf(posthouse);
  const send = createSend(posthouse);
  const uploads = createUploads(send, person.headers);
  const linkOf = ({ directToken }: Metadata) => `/api/storage/public/media/${directToken}`;
  let count = 0;
  return [
    { name: 'ping', share: 10, isSmall: true, send: () => send('/Ping') },
    { name: 'public file of 1 KB', share: 25, isSmall: true, send: () => send(linkOf(small)) },
    {
      name: 'range of 64 KB',
      share: 15,
      isSmall: false,
      send() {
        const start = Math.floor(Math.random() * (LARGE - RANGE));
        return send(linkOf(large), { headers: { Range: `bytes=${start}-${start + RANGE - 1}` } }, 206);
      },
    },
    {
      name: 'list of 100 files',
      share: 10,
      isSmall: false,
      send: () => send(`/api/storage/files/${folder.id}`, { headers: session.headers }),
    },
    {
      name: 'metadata',
      share: 10,
      isSmall: true,
      send: () => send(`/api/storage/files/${small.id}/metadata`, { headers: session.headers }),
    },
    {
      name: 'change of a share',
      share: 5,
      isSmall: false,
      send: () =>
        send(`/api/storage/files/${large.id}`, {
          ...jsonOf({ visibility: 1, maxDownloads: 1_000_000 + count++ }, person.headers),
          method: 'PATCH',
        }),
    },
    {
      name: 'chat message',
      share: 10,
      isSmall: false,
      send: () =>
        send(
          '/api/chatbot/sendmessage',
          jsonOf({ ...chat, message: `Message ${count++} of the benchmark` }, { Prefer: 'respond-async' }),
          202,
        ),
    },
    { name: 'web app', share: 5, isSmall: false, send: () => send(script) },
    { name: 'upload of 64 KB', share: 5, isSmall: false, send: uploads.add },
    { name: 'deletion', share: 5, isSmall: false, send: uploads.remove },
  ];
}

type Send = (path: string, init?: RequestInit, expect?: number) => Promise<Uint8Array>;

function createSend(posthouse: Posthouse): Send {
  return async (path, init = {}, expect = 200) => {
    const answer = await posthouse.fetch(path, { keepalive: true, ...init });
    const bytes = await answer.bytes();
    if (answer.status !== expect)
      throw new Error(`${path}: ${answer.status} ${new TextDecoder().decode(bytes.subarray(0, 300))}`);
    return bytes;
  };
}

/** Returns functions that upload a file and that delete the oldest one, or upload another one while there are few. */
function createUploads(send: Send, headers: Record<string, string>) {
  const { type, body } = multipart(Buffer.alloc(65_536, 'Posthouse'));
  const ids: string[] = [];
  const init = { method: 'POST', headers: { ...headers, 'Content-Type': type }, body };
  async function add(): Promise<void> {
    const answer = await send('/api/storage/files/root', init, 201);
    ids.push((JSON.parse(new TextDecoder().decode(answer)) as { Id: string }).Id);
  }
  async function remove(): Promise<void> {
    const oldest = ids.length > KEPT ? ids.shift() : undefined;
    if (oldest === undefined) await add();
    else await send(`/api/storage/files/${oldest}`, { method: 'DELETE', headers }, DELETED);
  }
  return { add, remove };
}

function jsonOf(body: object, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

/** Returns the path of the first script of the web app. */
async function scriptOf(posthouse: Posthouse): Promise<string> {
  const page = await (await posthouse.fetch('/', { headers: { Cookie: 'posthouse=any' } })).text();
  const path = /<script[^>]* src="([^"]+)"/.exec(page)?.[1];
  if (path === undefined) throw new Error('the web app has no script');
  return path;
}
