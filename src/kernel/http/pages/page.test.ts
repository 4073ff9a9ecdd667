import { expect, test } from 'bun:test';
import { breakable, html, page } from './page.ts';

test('values in a page are escaped', async () => {
  const hostile = `"><script>alert('x')</script>`;
  const answer = await page({
    language: 'en',
    title: hostile,
    body: html`<p title="${hostile}">${[hostile, html`<b>${hostile}</b>`]}</p>`,
  });
  const text = await answer.text();
  expect(text).not.toContain('<script');
  expect(text).toContain('<b>&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;</b>');
});

test('only long parts of a name may break', async () => {
  const long = `${'a'.repeat(20)}_<b>-${'c'.repeat(20)}.txt`;
  expect(String(await html`${breakable(long)}`)).toBe(
    `<bdi>${'a'.repeat(20)}_<wbr>&lt;b&gt;-<wbr>${'c'.repeat(20)}.<wbr>txt</bdi>`,
  );
  expect(String(await html`${breakable('Plan of the new house.v2.pdf')}`)).toBe(
    '<bdi>Plan of the new house.v2.pdf</bdi>',
  );
});

test('the policy allows the page’s style sheet by its hash', async () => {
  const answer = await page({
    language: 'en',
    title: 'A page',
    body: html`<p>text</p>`,
    style: 'p { color: red }',
    policy: { 'img-src': "'self'" },
  });
  const css = /<style>([\s\S]*)<\/style>/.exec(await answer.text())?.[1] ?? '';
  const hash = new Bun.CryptoHasher('sha256').update(css).digest('base64');
  expect(css).toEndWith('p { color: red }');
  expect(answer.headers.get('Content-Security-Policy')).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; ` +
      "base-uri 'none'; frame-ancestors 'none'; img-src 'self'",
  );
});
