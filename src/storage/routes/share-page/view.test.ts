import { describe, expect, test } from 'bun:test';
import { lockedPage } from './locked-page.ts';
import { filePage, type PageFile } from './view.ts';

const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(1)</script>'`;

const file: PageFile = {
  language: 'en' as const,
  name: 'report.pdf',
  sizeBytes: 1_572_864,
  mimeType: 'application/pdf',
  dateModified: Date.UTC(2026, 2, 1),
  expiresAt: null,
  sharedBy: null,
  preview: null,
  isDamaged: false,
  mediaPath: '/public/media/token',
  openGraph: null,
};

const textOf = async (page: Promise<Response>) => await (await page).text();

describe('the page of a file', () => {
  test('shows name, size, type and date, and a download button', async () => {
    const text = await textOf(filePage(file));
    for (const shown of [
      'report.pdf',
      '1.5 MiB',
      'PDF',
      '1 March 2026',
      'href="/public/media/token" download',
    ]) {
      expect(text).toContain(shown);
    }
    expect(text).not.toContain('og:');
  });

  test('shows the sender only if the owner wants that', async () => {
    expect(await textOf(filePage(file))).not.toContain('Shared by');
    expect(await textOf(filePage({ ...file, sharedBy: HOSTILE }))).toMatch(
      /Shared by &quot;&gt;&lt;img[^<]*<\/p>/,
    );
  });

  test.each([
    [0, '0 B'],
    [1023, '1 KiB'],
    [1024, '1 KiB'],
    [209_715_200, '200 MiB'],
    [1_288_490_189, '1.2 GiB'],
  ])('%d bytes read %s', async (sizeBytes, shown) => {
    expect(await textOf(filePage({ ...file, sizeBytes }))).toContain(`<dd>${shown}</dd>`);
  });

  test.each([
    ['video/mp4', 'MP4 video'],
    ['image/svg+xml', 'SVG image'],
    ['application/vnd.ms-excel', 'Excel spreadsheet'],
    ['application/vnd.amazon.ebook', 'EBOOK'],
    ['text/plain', 'Text'],
  ])('the type %s reads %s', async (mimeType, shown) => {
    expect(await textOf(filePage({ ...file, mimeType }))).toContain(`">${shown}</dd>`);
  });

  test('shows until when the link is valid', async () => {
    const expiresAt = Date.UTC(2026, 4, 2);
    expect(await textOf(filePage({ ...file, expiresAt }))).toContain('2 May 2026');
  });

  test('escapes a hostile name or text', async () => {
    const hostile = {
      ...file,
      name: HOSTILE,
      mimeType: HOSTILE,
      preview: { kind: 'text', text: HOSTILE, isWhole: false } as const,
    };
    const text = await textOf(
      filePage({ ...hostile, openGraph: { pageUrl: HOSTILE, thumbnailUrl: HOSTILE } }),
    );
    expect(text).not.toMatch(/<script|<img/);
    expect(text).toContain('&lt;script&gt;');
  });

  test('has the first page of a PDF for browsers that cannot display it', async () => {
    const pdf = (picture: 'preview' | null) =>
      textOf(filePage({ ...file, preview: { kind: 'pdf', picture } }));
    const fallback = /<object [^>]*type="application\/pdf">([\s\S]*?)<\/object>/;
    const [, drawn = ''] = fallback.exec(await pdf('preview')) ?? [];
    expect(drawn).toContain('<img src="/public/media/token?preview=1" alt="Preview of report.pdf">');
    expect(drawn).toContain('Only the first page is shown.');
    const [, plain = ''] = fallback.exec(await pdf(null)) ?? [];
    expect(plain).not.toContain('<img');
    expect(plain).toContain('This browser cannot display a PDF');
  });

  test('a name with characters that reorder text does not look like another', async () => {
    const preview = { kind: 'preview' } as const;
    const openGraph = { pageUrl: '/', thumbnailUrl: '/thumbnail' };
    const deceptive = { ...file, name: 'invoice\u202egpj.exe', sharedBy: 'A\u202enn', preview, openGraph };
    const text = await textOf(filePage(deceptive));
    expect(text).toContain('<h1><bdi>invoice\ufffdgpj.exe</bdi></h1>');
    expect(text).toContain('<title>invoice\ufffdgpj.exe · Posthouse</title>');
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(await textOf(filePage({ ...file, name: 'חשבונית.pdf' }))).toContain('<bdi>חשבונית.pdf</bdi>');
  });

  test('a text that begins with a line break keeps it', async () => {
    // HTML drops the first line break within pre.
    expect(
      await textOf(filePage({ ...file, preview: { kind: 'text', text: '\nindented', isWhole: true } })),
    ).toContain('>\n\nindented</pre>');
  });

  test('has a policy that allows no script and no other origin', async () => {
    const policy = (await filePage(file)).headers.get('Content-Security-Policy') ?? '';
    expect(policy).toStartWith("default-src 'none'");
    expect(policy).not.toMatch(/script-src|https?:|\*|unsafe/);
  });

  test.each([
    ['notes.md', 'text/markdown', ' data-kind="markdown"'],
    ['people.csv', 'text/csv', ' data-kind="table"'],
    ['program.py', 'text/x-python', ' data-kind="code" data-language="python"'],
    ['notes.txt', 'text/plain', ''],
  ])('names the format of %s for its script', async (name, mimeType, format) => {
    const preview = { kind: 'text', text: 'words', isWhole: true } as const;
    const page = await filePage({ ...file, name, mimeType, preview });
    const policy = page.headers.get('Content-Security-Policy') ?? '';
    expect(/; script-src 'sha256-[^' ]+' 'self';/.test(policy)).toBe(format !== '');
    expect(policy).not.toMatch(/connect-src|https?:|\*|unsafe/);
    expect(await page.text()).toContain(`<pre tabindex="0"${format}>\nwords</pre>`);
  });

  test('has a policy that allows PDF.js from this server only on the page of a PDF', async () => {
    const page = await filePage({ ...file, preview: { kind: 'pdf', picture: null } });
    const policy = page.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toMatch(/; script-src 'sha256-[^' ]+' 'self';/);
    expect(policy).toContain("; connect-src 'self'");
    expect(policy).not.toMatch(/https?:|\*|unsafe/);
  });
});

describe('the locked page', () => {
  const form = { language: 'en' as const, what: 'file', complaint: null, status: 200, headers: {} } as const;
  /** Returns the tags of the fields. */
  const fieldsOf = async (page: Parameters<typeof lockedPage>[0]) => {
    const text = await textOf(lockedPage(page));
    return { text, fields: text.match(/<input[^>]*>/g) ?? [] };
  };

  test('has the fields of the required secrets, and the focus in the first', async () => {
    const key = await fieldsOf({ ...form, needsAccessKey: true, needsPassword: false });
    expect(key.fields.map((field) => /name="(\w+)"/.exec(field)?.[1])).toEqual(['accessKey']);
    expect(key.text).not.toContain('role="alert"');
    const both = await fieldsOf({ ...form, needsAccessKey: true, needsPassword: true });
    expect(both.fields.map((field) => /name="(\w+)"/.exec(field)?.[1])).toEqual([
      'accessKey',
      'filePassword',
    ]);
    expect(both.fields.map((field) => field.includes('autofocus'))).toEqual([true, false]);
    const password = await fieldsOf({ ...form, needsAccessKey: false, needsPassword: true });
    expect(password.fields.map((field) => field.includes('autofocus'))).toEqual([true]);
    expect(password.text).not.toContain('aria-describedby');
  });

  test('connects the error with the fields', async () => {
    const wrong = { ...form, complaint: 'Wrong.', needsAccessKey: true, needsPassword: true };
    const { text, fields } = await fieldsOf(wrong);
    expect(text).toContain('id="complaint" role="alert">Wrong.</p>');
    expect(fields.filter((field) => field.includes('aria-describedby="complaint"'))).toHaveLength(2);
  });
});
