import { describe, expect, test } from 'bun:test';
import { simpleParser } from 'mailparser';
import { buildMime } from './mime.ts';

type Fields = Parameters<typeof buildMime>[0];

const fields: Fields = {
  headerId: '<1@example.org>',
  date: new Date(0),
  from: { address: 'post@example.org', name: '' },
  to: [{ address: 'ada@example.org', name: '' }],
  cc: [],
  replyTo: null,
  subject: 'Hello',
  text: 'Text',
  html: null,
  attachments: [],
  headers: {},
};
const attachment = { contentType: null, content: Buffer.from('x'), contentId: null };

async function build(changed: Partial<Fields>) {
  const mime = await buildMime({ ...fields, ...changed });
  const [, ...parts] = mime.toString().split(/^----_NmP.*$/m);
  const headers = [mime.toString(), ...parts].map((part) => part.trimStart().split('\r\n\r\n')[0] ?? '');
  return { parsed: await simpleParser(mime), header: headers.filter((each) => each !== '').join('\r\n') };
}

/** Returns the decoded text of the unstructured field `name`, of which the parser decodes only the subject. */
async function textOf(header: string, name: string) {
  const [, value] = new RegExp(`^${name}:((?:.|\\r\\n )*)`, 'm').exec(header) ?? [];
  return (await simpleParser(`Subject:${value}\r\n\r\n`)).subject;
}

/** Returns the names of attachments that were encoded as RFC 2231 specifies. */
function fileNamesOf(header: string) {
  const sections = [...header.matchAll(/filename\*(\d+)\*?=("?)(.*?)\2;?\r?$/gm)];
  const names: string[] = [];
  for (const [, index, , value = ''] of sections)
    names.push(index === '0' ? value : `${names.pop()}${value}`);
  return names.map((name) => decodeURIComponent(name.replace(/^utf-8''/, '')));
}

/** Texts that are changed, or make too long a line, when they are sent as they are. */
const TEXTS = [
  '=?utf-8?q?hello=0d=0aX-Evil:_1?=',
  '=?utf-8?b?aGVsbG8=?= and =?utf-8?q?a b?=',
  'what=?',
  `"${'='.repeat(2)}?" =?UTF-8?Q?=22?=`,
  'ü =?utf-8?q?u?=',
];
const LONG = ['x'.repeat(998), `a${' '.repeat(200)}b`, `${'ä'.repeat(500)}=?`];

describe('text arrives as given:', () => {
  test.each([...TEXTS, ...LONG])('in the subject and X-… fields, %#', async (text) => {
    const { parsed, header } = await build({ subject: text, headers: { 'X-Text': text, Comments: text } });
    expect(parsed.subject).toBe(text);
    for (const name of ['X-Text', 'Comments']) expect(await textOf(header, name)).toBe(text);
  });

  test.each([...TEXTS, `a${' '.repeat(200)}b`])('in names of senders and recipients, %#', async (name) => {
    const named = (address: string) => ({ address, name });
    const { parsed, header } = await build({
      from: named('post@example.org'),
      to: [named('ada@example.org'), { address: 'bob@example.org', name: 'Bob, B.' }],
      cc: [named('jürgen@xn--bcher-kva.example')],
      replyTo: named('help@example.org'),
    });
    const mailboxes = [parsed.from, parsed.to, parsed.cc, parsed.replyTo]
      .flat()
      .flatMap((list) => list?.value ?? []);
    expect(mailboxes.map((each) => [each.address, each.name])).toEqual([
      ['post@example.org', name],
      ['ada@example.org', name],
      ['bob@example.org', 'Bob, B.'],
      ['jürgen@bücher.example', name],
      ['help@example.org', name],
    ]);
    expect(header).not.toContain('"=?');
  });

  test.each(TEXTS.map((text) => text.replace('/', '')))('in names of attachments, %#', async (fileName) => {
    const { parsed, header } = await build({
      attachments: [
        { ...attachment, fileName: `${fileName}.pdf` },
        { ...attachment, fileName: `${fileName}.png`, contentId: 'logo@x' },
      ],
    });
    // The parser decodes names twice.
    expect(fileNamesOf(header)).toEqual([`${fileName}.pdf`, `${fileName}.png`]);
    expect(parsed.attachments.map(({ contentType }) => contentType)).toEqual([
      'application/pdf',
      'image/png',
    ]);
    expect(parsed.attachments.map(({ contentDisposition }) => contentDisposition)).toEqual([
      'attachment',
      'inline',
    ]);
    expect(header).not.toMatch(/\bname=/);
  });
});

test('no text looks like an encoded word that the caller wrote', async () => {
  const [text = ''] = TEXTS;
  const named = { address: 'ada@example.org', name: text };
  const { header } = await build({
    ...{ subject: text, from: named, to: [named], cc: [named], replyTo: named },
    headers: { 'X-Text': text },
    attachments: [{ ...attachment, fileName: text }],
  });
  expect(header).not.toContain(text);
});

test('text that needs no encoding is sent as it is', async () => {
  const { header } = await build({
    subject: `Is 1 = 2? ${'x'.repeat(990)}`,
    from: { address: 'post@example.org', name: 'Post, Inc.' },
    headers: { 'X-Token': 'y'.repeat(997) },
  });
  expect(header).toContain('Subject: Is 1 = 2?\r\n xxx');
  expect(header).toContain('From: "Post, Inc." <post@example.org>');
  expect(header).toContain(`X-Token:\r\n ${'y'.repeat(997)}\r\n`);
});

test('no line of a header is longer than 998 octets, or consists of spaces', async () => {
  for (const text of [...LONG, `a${' '.repeat(75)}${'x'.repeat(998)}`, `${'a'.repeat(67)}    `]) {
    const name = text.slice(0, 255);
    const named = { address: `${'a'.repeat(64)}@${'b.'.repeat(120)}example`, name: name.replace(/./g, '"') };
    const { header } = await build({
      ...{ subject: text, from: named, to: [named, { ...named, name }], cc: [named], replyTo: named },
      headers: { 'X-Text': text, Keywords: `${'a'.repeat(66)}    ` },
      attachments: [{ ...attachment, fileName: name, contentId: 'c'.repeat(200) }],
    });
    for (const line of header.split('\r\n')) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(998);
      expect(line.trim()).not.toBe('');
    }
  }
});
