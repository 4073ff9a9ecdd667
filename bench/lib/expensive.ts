import sharp from 'sharp';

/** The server, and the ids and credentials that the expensive requests use. */
export interface Target {
  url: string;
  /** Credentials of a mail client. */
  client: object;
  headers: Record<string, string>;
  /** Id of a folder of many files. */
  folder: string;
  /** Paths of files with a password; each accepts 100 wrong guesses. */
  secrets: readonly string[];
}

/** A folder can contain 10,000 others. */
const BATCHES_IN_FOLDER = 1_000;

/** Prepares an expensive request. @returns a function that sends it once */
type Prepare = (target: Target) => Promise<() => Promise<Response>>;

const mail =
  (fields: () => Record<string, unknown>): Prepare =>
  async ({ url, client }) => {
    const body = JSON.stringify({ ...client, To: 'ada@example.org', Subject: 'x', ...fields() });
    const headers = { 'Content-Type': 'application/json', Prefer: 'respond-async' };
    return () => fetch(`${url}/requestemail`, { method: 'POST', headers, body });
  };

/** Prepares a GET request of an account. @param pathOf returns the path below `/api/storage/` */
const read =
  (pathOf: (target: Target) => string): Prepare =>
  async (target) => {
    const url = `${target.url}/api/storage/${pathOf(target)}`;
    return async () => {
      const answer = await fetch(url, { headers: target.headers });
      if (!answer.ok) throw new Error(`${url} was answered with status ${answer.status}`);
      return answer;
    };
  };

let visitor = 0;
/**
 * Returns an address of another network at each call, so that no limit of addresses refuses a request before its
 * password is hashed.
 */
const nextAddress = () => `10.${(visitor >> 16) & 255}.${(visitor >> 8) & 255}.${visitor++ & 255}`;

const THUMBNAIL_PAUSE_MS = 100;

/** Prepares the upload of a picture of 96 million pixels in 560 KB. */
const uploadOfPicture: Prepare = async ({ url, headers }) => {
  const picture = await sharp({ create: { width: 12_000, height: 8_000, channels: 3, background: '#f00' } })
    .jpeg()
    .toBuffer();
  return () => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(picture)]), 'a.jpg');
    return fetch(`${url}/api/storage/files/root`, { method: 'POST', headers, body: form });
  };
};

/** Requests that are expensive for the server, each for a different part of it. */
export const EXPENSIVE = {
  'a template of nested loops': mail(() => ({
    Body: '{% for a in (1..9999) %}'.repeat(9) + '{% endfor %}'.repeat(9),
    TemplateData: {},
  })),
  'MJML of 2,000 sections': mail(() => {
    const column = `<mj-column>${'<mj-text>x</mj-text>'.repeat(20)}</mj-column>`;
    return {
      HtmlTemplate: `<mjml><mj-body>${`<mj-section>${column}</mj-section>`.repeat(2_000)}</mj-body></mjml>`,
    };
  }),
  'HTML nested 150,000 deep': mail(() => ({ HtmlTemplate: '<div>'.repeat(150_000) })),
  'JSON of 30 MB': mail(() => ({
    Body: 'x',
    TemplateData: {
      rows: Array.from({ length: 300_000 }, (_, id) => ({ id, name: `name ${id}`, text: 'x'.repeat(60) })),
    },
  })),
  'an attachment of 24 MB, which is delivered': mail(() => ({
    Body: 'x',
    Attachments: [{ FileName: 'a.bin', Content: Buffer.alloc(24 * 1024 ** 2, 7).toString('base64') }],
  })),
  /** Ends when the thumbnail is rendered; `upload` is the same without waiting for it. */
  'a picture of 96 megapixels, with its thumbnail': async (target) => {
    const upload = await uploadOfPicture(target);
    return async () => {
      const uploaded = await upload();
      const { ThumbnailPath: path } = (await uploaded.json()) as { ThumbnailPath: string };
      for (;;) {
        const answer = await fetch(target.url + path, { headers: target.headers });
        if (answer.ok) return answer;
        await answer.arrayBuffer();
        await Bun.sleep(THUMBNAIL_PAUSE_MS);
      }
    };
  },
  'uploads of the picture': (target) => uploadOfPicture(target),
  'wrong passwords of files': async ({ url, secrets }) => {
    const guess = () =>
      fetch(`${url}${secrets[visitor % secrets.length]}`, {
        headers: { 'X-Forwarded-For': nextAddress(), 'X-File-Password': 'wrong' },
      });
    return async () => {
      const answers = await Promise.all([guess(), guess(), guess(), guess(), guess(), guess(), guess()]);
      const [answer = await guess()] = answers;
      if (answer.status !== 403) throw new Error(`a guess was answered with status ${answer.status}`);
      return answer;
    };
  },
  'a list of 1,000 files': read(({ folder }) => `files/${folder}`),
  'a search in a folder': read(({ folder }) => `files/${folder}?search=99999&limit=100`),
  'a search in all folders': read(() => 'search?query=999&limit=100'),
  'the usage of 100,000 files': read(({ folder }) => `usage/folder/${folder}`),
  'ranges of a ZIP file of 100,000 files': async ({ url, headers, folder }) => {
    const range = () =>
      fetch(`${url}/api/storage/export/${folder}`, { headers: { ...headers, Range: 'bytes=1000-1999' } });
    return async () => {
      const answers = await Promise.all([range(), range(), range(), range(), range(), range(), range()]);
      const [answer = await range()] = answers;
      if (answer.status !== 206) throw new Error(`a range was answered with status ${answer.status}`);
      return answer;
    };
  },
  'new folders': async ({ url, headers }) => {
    const create = async (parentFolderId: string) => {
      const answer = await fetch(`${url}/api/storage/folders`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: crypto.randomUUID(), parentFolderId }),
      });
      if (answer.status !== 201) throw new Error(`a new folder was answered with status ${answer.status}`);
      return answer;
    };
    let parentId = 'root';
    let count = 0;
    return async () => {
      if (count++ % BATCHES_IN_FOLDER === 0)
        ({ id: parentId } = (await (await create('root')).json()) as { id: string });
      const answers = await Promise.all(Array.from({ length: 8 }, () => create(parentId)));
      return answers[0] ?? (await create(parentId));
    };
  },
  /** Last, since the folder may be in the trash when it ends. Of two at once, one is refused. */
  'deleting and restoring 100,000 files': async ({ url, headers, folder }) => {
    const send = async (method: string, path: string) => {
      const answer = await fetch(`${url}/api/storage/${path}`, { method, headers });
      if (!answer.ok && ![404, 409, 503].includes(answer.status))
        throw new Error(`${method} ${path} was answered with status ${answer.status}`);
      return answer;
    };
    return async () => {
      await send('DELETE', `folders/${folder}?recursive=true`);
      return await send('POST', `trash/${folder}/restore`);
    };
  },
} satisfies Record<string, Prepare>;

export type ExpensiveKind = keyof typeof EXPENSIVE;
