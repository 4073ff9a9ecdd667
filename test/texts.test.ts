import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Node, parseSync } from 'oxc-parser';
import { PROBLEMS } from '../src/server/problems.ts';

const WEB = join(import.meta.dir, '../src/web');
const MANTINE = join(import.meta.dir, '../node_modules/@mantine/core/esm/components');
/** Names of products and languages, character references and examples. */
const SAME_EVERYWHERE =
  /^(?:Posthouse|· Posthouse|Discord|Sandbox|English|Deutsch|&\w+;|@\w+|Ada|.*example\.org.*)$/;
/** A text for people in any property: `Files`, but not `application/json` or `ClientSecret`. */
const WORD = /^\p{Lu}\p{Ll}+(?: \p{L}+)*$/u;
const LETTERS = /\p{L}{2}/u;
/** Attributes and properties whose value people read, however it is written. */
const READ = /^(?:\w*[lL]abel|title|legend|description|placeholder|text|hint|alt|ariaLabel|aria-label)$/;

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
    if (node.type === 'JSXAttribute') readValue(node.value, READ.test(String(node.name.name)));
    if (node.type === 'JSXElement' || node.type === 'JSXFragment')
      for (const child of node.children)
        if (child.type === 'JSXExpressionContainer') readValue(child.expression);
    if (node.type === 'Property') readValue(node.value, READ.test(keyOf(node.key)));
    if (node.type === 'ObjectExpression' && isTableOfTexts(node.properties.map(valueIn)))
      for (const property of node.properties) readValue(valueIn(property));
    if (node.type === 'AssignmentPattern') readValue(node.right, false);
    if (node.type === 'ReturnStatement' && WORD.test(textOf(node.argument))) read(textOf(node.argument));
    for (const child of Object.values(node).flat())
      if (child !== null && typeof child === 'object' && 'type' in child) visit(child as Node);
  }

  /** Of a literal, or of one that an expression may result in. If not `isRead`, reads only what looks like a text. */
  function readValue(node: Node | null, isRead = true): void {
    const readPart = (part: Node) => readValue(part, isRead);
    if (node?.type === 'JSXExpressionContainer') readPart(node.expression);
    if (isRead || WORD.test(textOf(node))) read(textOf(node));
    if (isRead && node?.type === 'TemplateLiteral')
      read(node.quasis.map(({ value }) => value.cooked).join(' '));
    if (node?.type === 'ConditionalExpression') [node.consequent, node.alternate].forEach(readPart);
    if (node?.type === 'LogicalExpression') [node.left, node.right].forEach(readPart);
  }
}

/** Reports whether the values of an object are texts: at least three from a module of texts, and no other code. */
function isTableOfTexts(values: readonly (Node | null)[]): boolean {
  const isText = (node: Node | null) =>
    node?.type === 'MemberExpression' &&
    node.object.type === 'Identifier' &&
    /^(?:texts|common)$/.test(node.object.name);
  return values.filter(isText).length >= 3 && values.every((value) => isText(value) || textOf(value) !== '');
}

const valueIn = (property: Node) => (property.type === 'Property' ? property.value : null);
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

test('no English label of Mantine is left', () => {
  const sources = [...new Bun.Glob('**/*.tsx').scanSync(WEB)].map((path) =>
    readFileSync(join(WEB, path), 'utf8'),
  );
  const imports = sources.flatMap((source) => [
    ...source.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g),
  ]);
  const components = new Set(imports.flatMap(([, names = '']) => names.match(/\b[A-Z]\w+/g) ?? []));
  expect(components.size).toBeGreaterThan(30);
  const labels = [...components].sort().flatMap((component) => {
    const path = join(MANTINE, component, `${component}.mjs`);
    const source = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const found = [
      ...source.matchAll(/\b(?:aria-label|ariaLabel|label|title|placeholder)"?: "(\p{Lu}[^"]+)"/gu),
    ];
    return found.map(([, label]) => ({ component, label }));
  });
  expect(labels.length).toBeGreaterThan(0);
  const theme = readFileSync(join(WEB, 'theme.ts'), 'utf8');
  const left = labels.filter(
    ({ component }) => !new RegExp(`\\b${component}: \\{[^}]*'aria-label': texts\\.`).test(theme),
  );
  expect(left).toEqual([]);
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
