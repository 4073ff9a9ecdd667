import { describe, expect, test } from 'bun:test';
import { Problem } from '../../kernel/http/problem.ts';
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

describe('Liquid of a stranger', () => {
  test('escapes into HTML unless raw, and once only', () => {
    const data = { x: '<b>&"\'</b>' };
    expect(html('{{ x }}', data)).toBe('&lt;b&gt;&amp;&#34;&#39;&lt;/b&gt;');
    expect(html('{{ x | escape }}', data)).toBe('&lt;b&gt;&amp;&#34;&#39;&lt;/b&gt;');
    expect(html('{{ x | raw }}', data)).toBe('<b>&"\'</b>');
    expect(html('{{ x }}', data, { markup: 'text' })).toBe('<b>&"\'</b>');
  });

  test('sees own properties only', () => {
    const data = JSON.parse('{"a":{"b":1},"list":[1,2],"__proto__":{"polluted":"yes"},"constructor":{"name":"own"}}') as Record<
      string,
      unknown
    >;
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

  test('reads no other template', () => {
    for (const tag of ["{% include '/etc/passwd' %}", "{% render 'x' %}", "{% layout 'x' %}", '{% block x %}{% endblock %}']) {
      expect(problemOf(() => html(tag)).code).toBe('invalid_template');
    }
  });

  test('tells line and column', () => {
    const problem = problemOf(() => html('a\nb {% if %}\n'));
    expect(problem.code).toBe('invalid_template');
    expect(problem.detail).toContain('line 2, column 8');
    expect(problemOf(() => html('{{ x | nonsense }}')).detail).toContain('nonsense');
    expect(problemOf(() => html('one\n  {{ missing.thing }}', {}, { strict: true })).detail).toContain('line 2');
    expect(html('{{ missing.thing }}{{ x | default: "d" }}', {})).toBe('d');
  });

  test.each([
    ['a loop without end', '{% for i in (1..99999999999) %}x{% endfor %}'],
    ['loops in loops', `${'{% for i in (1..1000) %}'.repeat(5)}x${'{% endfor %}'.repeat(5)}`],
    ['much output', '{% for i in (1..1000) %}{{ big }}{% endfor %}'],
    ['captures that double', `{% assign a = big %}${'{% capture a %}{{ a }}{{ a }}{% endcapture %}'.repeat(40)}`],
    ['filters that double', `{% assign a = big %}${'{% assign a = a | append: a %}'.repeat(40)}`],
    ['deep nesting', '{% if true %}'.repeat(20_000) + '{% endif %}'.repeat(20_000)],
    ['length', 'x'.repeat(2_000_001)],
  ])('stops at %s', (_, template) => {
    expect(problemOf(() => html(template, { big: 'y'.repeat(100_000) })).code).toBe('invalid_template');
  });
});
