import { describe, expect, test } from 'bun:test';
import { fc } from '../../../test/harness/properties.ts';
import { compose, LIMITS, type Post, sizeOf, withCount } from './compose.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const embedsOf = (posts: readonly Post[]) => posts.flatMap(({ embeds }) => embeds);
const textOf = (posts: readonly Post[]) =>
  embedsOf(posts)
    .map(({ description = '' }) => description)
    .join('');

function expectWithinLimits(posts: readonly Post[]): void {
  for (const { embeds, content } of posts) {
    expect(content ?? '').not.toHaveLength(2001);
    expect(embeds).toHaveLength(1);
    for (const embed of embeds) {
      expect(embed.title?.length ?? 0).toBeLessThanOrEqual(LIMITS.title);
      expect(embed.description?.length ?? 0).toBeLessThanOrEqual(LIMITS.description);
      expect(embed.fields?.length ?? 0).toBeLessThanOrEqual(LIMITS.fields);
      expect(sizeOf(embed)).toBeLessThanOrEqual(LIMITS.total);
    }
  }
}

test('a short message is one post that mentions nobody', async () => {
  expect(
    await compose(
      { title: 'Deploy', message: 'Done @everyone', level: 'success', url: 'https://example.org/7' },
      NOW,
    ),
  ).toEqual([
    {
      allowed_mentions: { parse: [] },
      embeds: [
        {
          title: 'Deploy',
          description: 'Done @everyone',
          color: 0x2ecc71,
          url: 'https://example.org/7',
          timestamp: '2026-01-02T03:04:05.000Z',
        },
      ],
    },
  ]);
});

test('without a title the URL is the title, since only a title can be a link', async () => {
  expect(
    embedsOf(await compose({ title: '', message: 'x', url: 'https://example.org/7' }, NOW))[0]?.title,
  ).toBe('https://example.org/7');
  const long = `https://example.org/${'a'.repeat(300)}`;
  expect(embedsOf(await compose({ title: '', message: 'x', url: long }, NOW))[0]).toMatchObject({
    title: 'example.org',
    url: long,
  });
});

test.each(['https://x\n.org', ' https://x.org\t', 'http\ns:x.org', 'https:\\\\x.org\\'])(
  'the URL of a message is normalized: %j',
  async (url) => {
    const [embed] = embedsOf(await compose({ title: '', message: 'x', url }, NOW));
    expect(embed).toMatchObject({ title: 'https://x.org/', url: 'https://x.org/' });
  },
);

describe.each([
  ['ASCII', 'a'],
  ['emoji', '😀'],
  ['combining marks', 'e\u0301'],
])('lengths in %s', (_, letter) => {
  test.each([
    [1999, 1],
    [2000, 1],
    [2001, 1],
    [4095, 1],
    [4096, 1],
    [4097, 2],
    [5999, 2],
    [6000, 2],
    [6001, 2],
  ])('%d units are %d posts', async (size, count) => {
    const message = letter.repeat(Math.floor(size / letter.length)) + 'x'.repeat(size % letter.length);
    const posts = await compose({ title: 'T', message }, NOW);
    expect(posts).toHaveLength(count);
    expect(textOf(posts)).toBe(message);
    expectWithinLimits(posts);
    expect(embedsOf(posts).map(({ footer }) => footer?.text)).toEqual(
      count === 1 ? [undefined] : ['1/2', '2/2'],
    );
  });
});

test('a title over the limit continues in the text', async () => {
  expect(embedsOf(await compose({ title: 'a'.repeat(256), message: 'm' }, NOW))[0]?.title).toBe(
    'a'.repeat(256),
  );
  const title = 'word '.repeat(60).trim();
  const [embed] = embedsOf(await compose({ title, message: 'm' }, NOW));
  const carried = embed?.description?.split('\n\n')[0]?.slice(1);
  expect(`${embed?.title?.slice(0, -1)}${carried}`).toBe(title);
  expect(embed?.description?.endsWith('\n\nm')).toBe(true);
});

test('the total limit of 6,000 splits a message into several posts', async () => {
  const fields = (last: number) => [
    { name: 'n'.repeat(256), value: 'v'.repeat(1024) },
    { name: 'n', value: 'v'.repeat(last) },
  ];
  // 256 + 4096 + 1280 + 1 leave 367.
  const base = { title: 't'.repeat(256), message: 'm'.repeat(4096) };
  const full = await compose({ ...base, fields: fields(367) }, NOW);
  expect(full).toHaveLength(1);
  expect(embedsOf(full).map(sizeOf)).toEqual([6000]);
  const over = await compose({ ...base, fields: fields(368) }, NOW);
  expect(over).toHaveLength(2);
  expectWithinLimits(over);
  expect(embedsOf(over).flatMap((embed) => embed.fields ?? [])).toEqual(fields(368));
});

describe('the count of repeats', () => {
  const counted = async (message: string, extra = {}) =>
    withCount((await compose({ title: '', message, ...extra }, NOW)).at(-1) as Post, 3);
  test('is at the end of the text', async () => {
    expect((await counted('again')).embeds[0]?.description).toBe('again ×3');
    expect((await counted('```\ncode\n```')).embeds[0]?.description).toBe('```\ncode\n```\n×3');
  });
  test('is in the footer when the text is full', async () => {
    const post = await counted('m'.repeat(4096));
    expect(post.embeds[0]).toMatchObject({ description: 'm'.repeat(4096), footer: { text: '×3' } });
    expectWithinLimits([post]);
  });
  test('is outside the embed when all fields are full', async () => {
    const fields = [1024, 624].map((size) => ({ name: 'n'.repeat(128), value: 'v'.repeat(size) }));
    const post = await counted('m'.repeat(4096), { fields });
    expectWithinLimits([post]);
    expect(post.content).toBe('×3');
  });
  test('does not change the post itself', async () => {
    const [post] = await compose({ title: '', message: 'again' }, NOW);
    withCount(post as Post, 2);
    expect(post?.embeds[0]?.description).toBe('again');
  });
});

test('every post of any message is within the limits, and nothing is missing', async () => {
  const field = fc.record({
    name: fc.string({ minLength: 1, maxLength: 256 }),
    value: fc.string({ minLength: 1, maxLength: 1024 }),
  });
  const text = (maxLength: number) => fc.string({ unit: 'grapheme', minLength: 1, maxLength, size: 'max' });
  await fc.assert(
    fc.asyncProperty(
      text(400),
      text(9_000),
      fc.array(field, { maxLength: 25, size: 'max' }),
      async (title, message, fields) => {
        const posts = await compose({ title, message: `.${message}`, fields }, NOW);
        expectWithinLimits(posts);
        expect(embedsOf(posts).flatMap((embed) => embed.fields ?? [])).toEqual(fields);
        expect(textOf(posts).replace(/[\s`]/g, '')).toContain(message.replace(/[\s`]/g, ''));
        if (posts.length > 1)
          expect(embedsOf(posts).map(({ footer }) => footer?.text)).toEqual(
            posts.map((_, index) => `${index + 1}/${posts.length}`),
          );
      },
    ),
    { numRuns: 200 },
  );
});
