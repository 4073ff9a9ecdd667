import { describe, expect, spyOn, test } from 'bun:test';
import { Problem } from '../../../kernel/problem.ts';
import { createLiquid, type LiquidSource } from './liquid.ts';

const render = createLiquid();
const html = (text: string, data: Record<string, unknown> = {}, more: Partial<LiquidSource> = {}) =>
  render({ text, data, markup: 'html', strict: false, field: 'HtmlTemplate', ...more });

function problemOf(work: () => unknown): Problem {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('untrusted Liquid', () => {
  test('escapes values in HTML once, unless raw', () => {
    const data = { x: '<b>&"\'</b>' };
    expect(html('{{ x }}', data)).toBe('&lt;b&gt;&amp;&#34;&#39;&lt;/b&gt;');
    expect(html('{{ x | escape }}', data)).toBe('&lt;b&gt;&amp;&#34;&#39;&lt;/b&gt;');
    expect(html('{{ x | raw }}', data)).toBe('<b>&"\'</b>');
    expect(html('{{ x }}', data, { markup: 'text' })).toBe('<b>&"\'</b>');
  });

  test('sees own properties only', () => {
    const data = JSON.parse(
      '{"a":{"b":1},"list":[1,2],"__proto__":{"polluted":"yes"},"constructor":{"name":"own"}}',
    ) as Record<string, unknown>;
    for (const path of [
      'a.constructor.name',
      'a.__proto__.toString',
      'toString',
      'a.hasOwnProperty',
      'list.constructor',
      'a["constructor"]',
    ]) {
      expect(html(`[{{ ${path} }}]`, data)).toBe('[]');
    }
    expect(html('{{ polluted }}{{ a.polluted }}', data)).toBe('');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    html('{% increment __proto__ %}{% assign constructor = 1 %}{% increment toString %}', data);
    expect(String({})).toBe('[object Object]');
  });

  test('cannot read another template', () => {
    for (const tag of [
      "{% include '/etc/passwd' %}",
      "{% render 'x' %}",
      "{% layout 'x' %}",
      '{% block x %}{% endblock %}',
    ]) {
      expect(problemOf(() => html(tag)).code).toBe('invalid_template');
    }
  });

  test('errors name line and column', () => {
    const problem = problemOf(() => html('a\nb {% if %}\n'));
    expect(problem.code).toBe('invalid_template');
    expect(problem.detail).toContain('line 2, column 8');
    expect(problemOf(() => html('{{ x | nonsense }}')).detail).toContain('nonsense');
    expect(problemOf(() => html('one\n  {{ missing.thing }}', {}, { strict: true })).detail).toContain(
      'line 2',
    );
    expect(html('{{ missing.thing }}{{ x | default: "d" }}', {})).toBe('d');
  });

  test.each([
    ['a loop without end', '{% for i in (1..99999999999) %}x{% endfor %}'],
    ['loops in loops', `${'{% for i in (1..1000) %}'.repeat(5)}x${'{% endfor %}'.repeat(5)}`],
    ['much output', '{% for i in (1..1000) %}{{ big }}{% endfor %}'],
    [
      'captures that double',
      `{% assign a = big %}${'{% capture a %}{{ a }}{{ a }}{% endcapture %}'.repeat(40)}`,
    ],
    ['filters that double', `{% assign a = big %}${'{% assign a = a | append: a %}'.repeat(40)}`],
    ['deep nesting', '{% if true %}'.repeat(20_000) + '{% endif %}'.repeat(20_000)],
    ['length', 'x'.repeat(2_000_001)],
  ])('stops at %s', (_, template) => {
    expect(problemOf(() => html(template, { big: 'y'.repeat(100_000) })).code).toBe('invalid_template');
  });

  test.each(['where_exp', 'reject_exp', 'group_by_exp', 'has_exp', 'find_exp', 'find_index_exp'])(
    'refuses the filter %s',
    (filter) => {
      const problem = problemOf(() => html(`{{ list | ${filter}: "i", "i == 1" }}`, { list: [1, 2] }));
      expect(problem.code).toBe('invalid_template');
      expect(problem.detail).toContain(`undefined filter: ${filter}`);
    },
  );

  const row = { p: Array.from({ length: 10_000 }, () => 1) };
  const rows =
    '{% assign a = "" | split: "," %}{% for i in (1..300) %}{% assign a = a | push: row %}{% endfor %}';
  const nested = `{% assign a = "x" | split: "," %}${'{% assign a = a | push: a %}'.repeat(22)}`;
  test.each([
    ['lists of lists, as text', `${nested}{{ a | upcase | size }}`],
    ['lists of lists, in the output', `${nested}{{ a }}`],
    ['lists of lists, as a number', `${nested}{% for i in (a..1) %}{% endfor %}`],
    ['lists compared for each item', `${rows}{{ a | where: "p", row.p | size }}`],
    ['lists compared by operators', `{% if ${Array(300).fill('row.p == row.p').join(' and ')} %}{% endif %}`],
    [
      'lists compared by case',
      `{% case row.p %}{% when ${Array(500).fill('row.p').join(', ')} %}{% endcase %}`,
    ],
    ['a long path for each item', `{{ row.p | map: "${'a.'.repeat(50_000)}a" | size }}`],
    ['a long text searched backwards', '{{ text | remove_last: part | size }}'],
    ['a chain of filters', `{% assign x = text ${'| url_encode'.repeat(200)} %}`],
    ['a long list sorted', '{{ (1..2000000) | sort_natural | size }}'],
  ])('stops at %s', (_, template) => {
    const data = { row, text: 'ab'.repeat(100_000), part: `${'ab'.repeat(10_000)}ba` };
    expect(problemOf(() => html(template, data)).detail).toContain('work limit exceeded');
  });

  test('renders large lists', () => {
    const list = Array.from({ length: 1_000 }, (_, id) => ({
      id,
      name: `item ${id}`,
      about: 'x'.repeat(500),
    }));
    const template =
      '{% assign s = list | sort_natural: "name" | where: "id", 7 %}{{ s[0].name }}' +
      '{% assign a = "" | split: "," %}{% for i in list %}{% assign a = a | push: i %}{% endfor %}{{ a | size }}';
    expect(html(template, { list })).toBe('item 71000');
  });
});

test('a process that waits long for a CPU renders its template', () => {
  const text = '{% for i in (1..99) %}{{ i }}{% endfor %}';
  const now = spyOn(performance, 'now');
  let elapsed = 0;
  now.mockImplementation(() => (elapsed += 1_000));
  try {
    const source = { text, data: {}, markup: 'text', strict: true, field: 'Body' } as const;
    expect(createLiquid()(source)).toEndWith('9899');
  } finally {
    now.mockRestore();
  }
});
