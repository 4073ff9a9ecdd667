import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Node, parseSync } from 'oxc-parser';
import { PROBLEMS } from '../src/problems.ts';

const WEB = join(import.meta.dir, '../src/web');
/** The name of the product, keys, character references and examples. */
const SAME_EVERYWHERE = /^(?:Posthouse|· Posthouse|Ctrl K|&\w+;|@\w+|.*example\.org.*)$/;
/** A result for people: `Files`, and not `application/json`. */
const WORD = /^\p{Lu}\p{Ll}+(?: \p{L}+)*$/u;
const LETTERS = /\p{L}{2}/u;
/** Attributes and properties whose value people read. */
const READ =
  /^(?:label|title|description|placeholder|text|alt|ariaLabel|aria-label|confirmLabel|submitLabel)$/;

/** Returns the texts in a file that people read, and that would be the same in all languages. */
function textsIn(path: string): string[] {
  const found: string[] = [];
  const read = (text: string) => {
    const plain = text.replace(/\s+/g, ' ').trim();
    if (LETTERS.test(plain) && !SAME_EVERYWHERE.test(plain)) found.push(`${path}: ${plain}`);
  };
  visit(parseSync(path, readFileSync(join(WEB, path), 'utf8')).program);
  return found;

  function visit(node: Node): void {
    if (node.type === 'JSXText') read(node.value);
    if (node.type === 'JSXAttribute' && READ.test(String(node.name.name))) readValue(node.value);
    if (node.type === 'JSXElement' || node.type === 'JSXFragment')
      for (const child of node.children)
        if (child.type === 'JSXExpressionContainer') readValue(child.expression);
    if (node.type === 'Property' && READ.test(keyOf(node.key))) readValue(node.value);
    if (node.type === 'ReturnStatement' && WORD.test(textOf(node.argument))) read(textOf(node.argument));
    for (const child of Object.values(node).flat())
      if (child !== null && typeof child === 'object' && 'type' in child) visit(child as Node);
  }

  /** Of a literal, or of one that an expression may result in. */
  function readValue(node: Node | null): void {
    if (node?.type === 'JSXExpressionContainer') readValue(node.expression);
    if (node?.type === 'Literal' && typeof node.value === 'string') read(node.value);
    if (node?.type === 'TemplateLiteral') read(node.quasis.map(({ value }) => value.cooked).join(' '));
    if (node?.type === 'ConditionalExpression') [node.consequent, node.alternate].forEach(readValue);
    if (node?.type === 'LogicalExpression') [node.left, node.right].forEach(readValue);
  }
}

const keyOf = (key: Node) => (key.type === 'Identifier' ? key.name : textOf(key));
const textOf = (node: Node | null) =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node.value : '';

test('no text of the web app is outside the modules of texts', () => {
  const files = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(WEB)].filter(
    (path) => !/(?:^|\/)texts(?:\.\w+)?\.ts$|\.test\.|^build\.ts$/.test(path),
  );
  expect(files.length).toBeGreaterThan(150);
  expect(files.sort().flatMap(textsIn)).toEqual([]);
});

test('every problem has a sentence in German', () => {
  for (const [code, { title, de }] of Object.entries(PROBLEMS)) {
    expect([code, de.title]).not.toEqual([code, title]);
    expect([code, de.detail]).toEqual([code, expect.stringMatching(/^\p{Lu}.*(?:\.|: \{detail\})$/u)]);
  }
});

test('every module of texts is translated', () => {
  const english = [...new Bun.Glob('**/texts.ts').scanSync(WEB)];
  expect(english.length).toBeGreaterThan(10);
  for (const path of english)
    expect(Bun.file(join(WEB, path.replace(/ts$/, 'de.ts'))).size).toBeGreaterThan(0);
});
