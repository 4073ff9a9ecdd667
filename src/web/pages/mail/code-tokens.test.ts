import { expect, test } from 'bun:test';
import { tokensOf } from './code-tokens.ts';

test('colors Liquid, tags, attributes and comments', () => {
  expect(
    tokensOf('<a href="{{ url }}">Hi {% if x %}!</a><!-- < -->').map(({ kind, text }) => [kind, text]),
  ).toEqual([
    ['tag', '<a href='],
    ['string', '"{{ url }}"'],
    ['tag', '>'],
    ['text', 'Hi '],
    ['liquid', '{% if x %}'],
    ['text', '!'],
    ['tag', '</a>'],
    ['comment', '<!-- < -->'],
  ]);
});

test.each(['{"a": 1}', '{{ open', '<', '<!-- open', '{{ a }}{{', `<p ${'"'.repeat(3)}>`, ''])(
  'keeps every character of %p',
  (source) => {
    expect(
      tokensOf(source)
        .map(({ text }) => text)
        .join(''),
    ).toBe(source);
  },
);
