import { join } from 'node:path';
import { addPerson } from '../../test/harness/accounts.ts';
import { runJson } from '../../test/harness/command.ts';
import { filesOf } from '../../test/harness/files.ts';
import { MULTIPART_TYPE, multipart } from '../../test/harness/multipart.ts';
import type { Posthouse } from '../../test/harness/process.ts';
import { addChannels, UNLIMITED_CHAT } from './messages.ts';

/** Requests of one client; see `load-client.ts`, which sends them. */
export interface ClientWork {
  port: number;
  /** Method and path. */
  line: string;
  /** Without `Content-Length`. */
  fields?: Record<string, string>;
  /** Text of the body, in which `{number}` becomes the number of the request. */
  body: string;
  expect: number;
}

export const KINDS = ['downloads', 'lists', 'uploads', 'chat messages'] as const;
export type Kind = (typeof KINDS)[number];

/** The requests of all clients, and the path of the public file. */
export type Works = Record<Kind, ClientWork> & { path: string };

const FILE = 65_536;
const LISTED = 100;

/** The settings of a server that accepts any number of chat messages. */
export const UNLIMITED = {
  POSTHOUSE_WORKSPACE_BYTES: String(2 ** 40),
  ...UNLIMITED_CHAT,
};

/** Creates an account, files and a chat channel. Returns the requests of the four clients. */
export async function prepareClients(posthouse: Posthouse): Promise<Works> {
  const { settings, url } = posthouse;
  const { headers } = await addPerson(settings, 'bench@example.org');
  const files = filesOf(posthouse, headers);
  const { id } = await files.upload(crypto.getRandomValues(new Uint8Array(FILE)));
  const { directToken } = await files.change(id, { visibility: 1 });
  const folder = await files.newFolder('listed');
  for (let index = 0; index < LISTED; index++) await files.upload('x', { name: `${index}.txt`, folder });
  await addChannels((...words) => runJson(settings, ...words), 1);
  const message = { clientId: 'bench', guildId: '1', channelId: '0', message: 'Message {number}' };
  const port = Number(new URL(url).port);
  const path = `/api/storage/public/media/${directToken}`;
  const get = { port, body: '', expect: 200 };
  return {
    path,
    downloads: { ...get, line: `GET ${path}` },
    lists: { ...get, line: `GET /api/storage/files/${folder}`, fields: headers },
    uploads: {
      port,
      line: 'POST /api/storage/files/root',
      fields: { ...headers, 'Content-Type': MULTIPART_TYPE },
      body: multipart([{ name: 'file', value: 'x'.repeat(FILE), fileName: '{number}.bin' }]).toString(),
      expect: 201,
    },
    'chat messages': {
      port,
      line: 'POST /api/chatbot/sendmessage',
      fields: { 'Content-Type': 'application/json', Prefer: 'respond-async' },
      body: JSON.stringify(message),
      expect: 202,
    },
  };
}

/** Sends the requests of some clients at the same time, each from a process; returns the requests a second of each. */
export async function runClients(works: readonly ClientWork[], seconds: number): Promise<number[]> {
  const words = [process.execPath, join(import.meta.dir, 'load-client.ts'), String(seconds)];
  const clients = works.map((work) =>
    Bun.spawn(words, { stdin: Buffer.from(JSON.stringify(work)), stdout: 'pipe', stderr: 'inherit' }),
  );
  return await Promise.all(
    clients.map(async (client) => {
      const text = await new Response(client.stdout).text();
      if ((await client.exited) !== 0) throw new Error('a client failed');
      return Number(text);
    }),
  );
}
