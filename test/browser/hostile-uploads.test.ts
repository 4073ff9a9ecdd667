import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { BrowserContext } from 'playwright-core';
import { freshSettings } from '../harness/backends.ts';
import { cookiesOf } from '../harness/browser.ts';
import { newVisitor } from '../harness/chromium.ts';
import { filesOf, type Metadata } from '../harness/files.ts';
import { picture } from '../harness/pictures.ts';
import { addPerson, openSession, type Posthouse, startPosthouse } from '../harness/posthouse.ts';

/** The attacks of each hostile file, in every form of its format. */
const ATTACK = `document.title='taken';window.name='taken';fetch('/api/me?stolen',{credentials:'include'});new Image().src='/stolen.png';alert('taken')`;
const HTML = `<!doctype html><html><head><title>innocent</title><meta http-equiv="refresh" content="0;url=/stolen-refresh">
<link rel="stylesheet" href="/stolen.css"><script>${ATTACK}</script></head>
<body onload="${ATTACK.replaceAll('"', '&quot;')}"><img src="/stolen-img.png" onerror="alert(1)"><iframe src="/stolen-frame"></iframe>
<form action="/api/storage/folders" method="post"><input autofocus onfocus="alert(1)"></form></body></html>`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" onload="alert(1)" width="9" height="9">
<script>${ATTACK.replaceAll('&', '&amp;')}</script><image href="/stolen-svg.png" width="1" height="1"/>
<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="javascript:alert(1)"/></body></foreignObject></svg>`;
const XHTML = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>innocent</title><script>${ATTACK}</script></head><body/></html>`;
const XSLT = `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="/stolen.xsl"?><root><script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script></root>`;
const PDF = `%PDF-1.7
1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\('taken'\\);this.submitForm\\('/stolen-pdf'\\))>>/AA<</WC<</S/URI/URI(/stolen-uri)>>>>>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/AA<</O<</S/JavaScript/JS(app.alert\\('taken'\\))>>>>>>endobj
trailer<</Root 1 0 R>>
%%EOF`;

const bytes = (text: string) => new Uint8Array(new TextEncoder().encode(text));
const behind = (start: Uint8Array, text: string) => new Uint8Array(Buffer.concat([start, bytes(text)]));

/** Name, content, and the type that the client claims. */
const HOSTILE: [name: string, make: () => Promise<Uint8Array<ArrayBuffer>>, claimed: string][] = [
  ['page.html', async () => bytes(HTML), 'text/html'],
  ['page.html', async () => bytes(HTML), 'image/png'],
  ['picture.svg', async () => bytes(SVG), 'image/svg+xml'],
  ['page.xhtml', async () => bytes(XHTML), 'application/xhtml+xml'],
  ['sheet.xml', async () => bytes(XSLT), 'text/xml'],
  ['script.pdf', async () => bytes(PDF), 'application/pdf'],
  ['gif and script.gif', async () => bytes(`GIF89a/*\x01\x00\x01\x00\x00*/=1;${ATTACK}`), 'text/javascript'],
  ['gif and page.html', async () => behind(bytes('GIF89a\x01\x00\x01\x00'), HTML), 'text/html'],
  ['png and page.html', async () => behind(await picture('#123456'), HTML), 'text/html'],
  ['page and pdf.pdf', async () => behind(bytes(HTML), PDF), 'application/pdf'],
  ['words.txt', async () => bytes(HTML), 'text/plain'],
  ['nothing.bin', async () => behind(new Uint8Array([0, 1, 2, 3]), HTML), 'application/octet-stream'],
];

describe('hostile uploads in Chromium', () => {
  let posthouse: Posthouse;
  let files: ReturnType<typeof filesOf>;
  let visitor: BrowserContext;
  let headers: Record<string, string>;
  /** Page of a link that takes files and shows them. */
  let inbox: string;
  beforeAll(async () => {
    const settings = await freshSettings('sqlite+local');
    posthouse = await startPosthouse(settings);
    const { email } = await addPerson(settings, 'ann@example.org');
    const session = await openSession(posthouse, email);
    headers = session.headers;
    files = filesOf(posthouse, headers);
    const folderId = await files.newFolder('Inbox');
    const made = await files.post('/api/storage/links', { folderId, access: 'both' });
    inbox = `/public/folder/${((await made.json()) as { token: string }).token}`;
    visitor = await newVisitor(posthouse.url);
    await visitor.addCookies(cookiesOf(session.cookie, posthouse.url));
  });
  afterAll(async () => {
    await visitor.close();
    await posthouse.stop();
  });

  async function upload(name: string, content: Uint8Array<ArrayBuffer>, claimed: string): Promise<Metadata> {
    const form = new FormData();
    form.set('file', new Blob([content], { type: claimed }), name);
    form.set('visibility', '1');
    const answer = await posthouse.fetch('/api/storage/files/root', { method: 'POST', headers, body: form });
    return await files.metadata(((await answer.json()) as { Id: string }).Id);
  }

  /** Sends a file through the link; returns its id. */
  async function send(name: string, content: Uint8Array<ArrayBuffer>, claimed: string): Promise<string> {
    const form = new FormData();
    form.set('file', new Blob([content], { type: claimed }), name);
    const answer = await posthouse.fetch(`${inbox}/files`, { method: 'POST', body: form });
    return ((await answer.json()) as { files: { id: string }[] }).files[0]?.id ?? '';
  }

  /** Opens an address; returns the effects of successful attacks. */
  async function open(path: string): Promise<{ requested: string[]; taken: boolean; dialogs: number }> {
    const page = await visitor.newPage();
    const requested: string[] = [];
    let dialogs = 0;
    page.on('request', (request) => requested.push(request.url().replace(posthouse.url, '')));
    page.on('dialog', (dialog) => {
      dialogs++;
      void dialog.dismiss();
    });
    // A download ends the navigation with an error, and the page stays empty.
    await page.goto(path, { waitUntil: 'load' }).catch(() => {});
    await page.waitForLoadState('networkidle');
    const taken =
      (await page.title()) === 'taken' || (await page.evaluate('window.name').catch(() => '')) === 'taken';
    await page.close();
    return { requested, taken, dialogs };
  }

  test('the browser is signed in, and the attacks work without protection', async () => {
    expect((await open('/api/me')).requested).toEqual(['/api/me']);
    const page = await visitor.newPage();
    await page.route('**/undefended', (route) =>
      route.fulfill({ contentType: 'text/html', body: HTML.replace(/<meta[^>]*>/, '') }),
    );
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url().replace(posthouse.url, '')));
    page.on('dialog', (dialog) => void dialog.dismiss());
    await page.goto('/undefended');
    expect(await page.title()).toBe('taken');
    expect(requested).toContain('/api/me?stolen');
    await page.close();
  });

  test.each(HOSTILE)('%s runs no script and sends no request', async (name, make, claimed) => {
    const file = await upload(name, await make(), claimed);
    const sent = `${inbox}/file/${await send(name, await make(), claimed)}`;
    const paths = [
      inbox,
      sent,
      `${sent}?inline=1`,
      `/public/media/${file.uiToken}`,
      `/public/media/${file.uiToken}?inline=1`,
      `/api/storage/public/media/${file.directToken}?inline=1`,
      `/api/storage/files/${file.id}/content`,
      `/api/storage/files/${file.id}/content?inline=1`,
    ];
    const opened = await Promise.all(paths.map(async (path) => ({ path, ...(await open(path)) })));
    expect(
      opened.map(({ requested, ...rest }) => ({
        ...rest,
        stolen: requested.filter((address) => address.includes('stolen')),
      })),
    ).toEqual(paths.map((path) => ({ path, taken: false, dialogs: 0, stolen: [] })));
    const page = await open(`/public/file/${file.uiToken}`);
    expect({ taken: page.taken, dialogs: page.dialogs }).toEqual({ taken: false, dialogs: 0 });
    // Only its own preview, and what draws it.
    const own = [
      `/public/file/${file.uiToken}`,
      `/public/media/${file.uiToken}?inline=1`,
      `/public/media/${file.uiToken}?thumbnail=1`,
      `/public/media/${file.uiToken}?preview=1`,
    ];
    expect(
      page.requested.filter(
        (address) => !own.includes(address) && !/^(?:\/assets\/|chrome-extension:)/.test(address),
      ),
    ).toEqual([]);
  });

  test('the page of a file is readable on a phone, in light and dark, locked and unlocked', async () => {
    const file = await upload(
      'a very long name of a file that has to be broken somewhere, on every telephone.txt',
      bytes('words '.repeat(400)),
      'text/plain',
    );
    const locked = await upload('locked.txt', bytes('locked'), 'text/plain');
    await files.change(locked.id, { filePassword: 'open up' });
    for (const dark of [false, true]) {
      const telephone = await newVisitor(posthouse.url, { width: 360, height: 740, dark });
      const page = await telephone.newPage();
      for (const { uiToken } of [file, locked]) {
        await page.goto(`/public/file/${uiToken}`);
        const facts = await page.evaluate<{ wide: number; button: number; ground: string }>(`({
          wide: document.documentElement.scrollWidth,
          button: document.querySelector('.button, button').getBoundingClientRect().height,
          ground: getComputedStyle(document.body).backgroundColor,
        })`);
        expect(facts.wide).toBeLessThanOrEqual(360);
        expect(facts.button).toBeGreaterThanOrEqual(44);
        const [red = 0] = facts.ground.match(/\d+/g)?.map(Number) ?? [];
        expect(red < 128).toBe(dark);
      }
      await page.fill('#filePassword', 'open up');
      await page.click('button');
      await page.getByRole('heading', { name: 'locked.txt' }).waitFor();
      await telephone.close();
    }
  });
});
