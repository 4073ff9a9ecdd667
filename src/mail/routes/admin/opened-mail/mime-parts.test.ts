import { expect, test } from 'bun:test';
import type { Email } from 'postal-mime';
import { withPictures } from './mime-parts.ts';

const picture = { mimeType: 'image/png', contentId: '<p>', content: new Uint8Array(30).buffer };
const mail = (count: number) =>
  ({ html: '<img src="cid:p">'.repeat(count), attachments: [picture] }) as unknown as Email;
const shown = (html: string) => html.split('data:image/png;base64,').length - 1;

test('a picture replaces each of its names', () => {
  expect(withPictures(mail(3))).not.toContain('cid:p');
  expect(shown(withPictures(mail(3)))).toBe(3);
});

test('pictures that are too long together are not shown', () => {
  const html = withPictures(mail(1_000), 650);
  expect(shown(html)).toBe(10);
  expect(html.length).toBeLessThan('<img src="cid:p">'.length * 1_000 + 700);
});
