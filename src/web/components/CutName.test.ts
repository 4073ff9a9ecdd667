import { expect, test } from 'bun:test';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { CutName } from './CutName.tsx';

const rendered = (name: string) => renderToStaticMarkup(createElement(CutName, { name }));

test('a name is isolated, and no character in it reorders text', () => {
  expect(rendered('invoice\u202egpj.exe')).toBe('<bdi>invoice\ufffdgpj.exe</bdi>');
  expect(rendered('חשבונית.pdf')).toBe('<bdi>חשבונית.pdf</bdi>');
});

test('a cut name is isolated too', () => {
  const text = rendered(`${'a'.repeat(40)}\u2067gpj.exe`);
  expect(text).toStartWith('<bdi class="cut-name">');
  expect(text.replace(/<.*?>/g, '')).toBe(`${'a'.repeat(40)}\ufffdgpj.exe`);
});
