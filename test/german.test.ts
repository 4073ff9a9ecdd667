import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Node, parseSync } from 'oxc-parser';
import { createTranslate } from '../src/kernel/translations.ts';
import { GERMAN } from '../src/server/problems.ts';

const SRC = join(import.meta.dir, '../src');
/** Folders whose texts reach people as problems. */
const FOLDERS = ['chat', 'events', 'identity', 'kernel', 'mail', 'messages', 'site', 'storage'];
/** Tested with their schemas (`kernel/http/problems/german-problem.test.ts`), tables, and sentences of the start. */
const OTHERS = /\.test\.|german\.ts$|problems\.ts$|plain-words\.ts$|postgres\/url\.ts$/;
/** Messages of fields; a text that ends with a space is continued. */
const MESSAGE = /^(?:must|is required) .*\S$/s;
const CHECKS = /^(?:min|max|regex|refine|int|enum|string|length|check)$/;
/** A sentence that consists of a field and its message. */
const FIELD = /^\{\}: /;
const PROBLEM = /^(?:Http)?Problem$/;

interface Found {
  /** Each expression in it is replaced by `{}`. */
  text: string;
  path: string;
}

function nodesOf(path: string): Node[] {
  const nodes: Node[] = [];
  const visit = (node: Node): void => {
    nodes.push(node);
    for (const child of Object.values(node).flat())
      if (child !== null && typeof child === 'object' && 'type' in child) visit(child as Node);
  };
  visit(parseSync(path, readFileSync(join(SRC, path), 'utf8')).program);
  return nodes;
}

/** Returns the texts that an expression may result in. @param constants of the file, by name */
function textsOf(node: Node | null | undefined, constants: ReadonlyMap<string, Node>): string[] {
  const of = (each: Node | null | undefined) => textsOf(each, constants);
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : [];
    case 'TemplateLiteral':
      return node.quasis.reduce<string[]>(
        (heads, { value }, index) => {
          const inserted = node.expressions[index];
          const values = inserted ? of(inserted.type === 'Identifier' ? inserted : null) : [''];
          return heads.flatMap((head) =>
            (values.length > 0 ? values : ['{}']).map((text) => `${head}${value.cooked}${text}`),
          );
        },
        [''],
      );
    case 'BinaryExpression':
      return of(node.left as Node).flatMap((left) => of(node.right).map((right) => left + right));
    case 'ConditionalExpression':
      return [...of(node.consequent), ...of(node.alternate)];
    case 'Identifier':
      return of(constants.get(node.name));
    default:
      return [];
  }
}

const nameOf = (node: Node) => (node.type === 'Identifier' ? node.name : '');

/** Returns the expressions that are messages of fields, or sentences of problems. */
function spokenIn(node: Node): { messages: Node[]; sentences: Node[] } {
  if (node.type === 'NewExpression' && PROBLEM.test(nameOf(node.callee)))
    return { messages: [], sentences: node.arguments.slice(1, 2) };
  if (node.type !== 'CallExpression') return { messages: messageOf(node), sentences: [] };
  const { callee } = node;
  if (nameOf(callee) === 'invalidField') return { messages: node.arguments.slice(1, 2), sentences: [] };
  const isCheck = callee.type === 'MemberExpression' && CHECKS.test(nameOf(callee.property));
  const last = node.arguments.at(-1);
  const sentence = last && (last.type === 'Literal' || last.type === 'TemplateLiteral') ? [last] : [];
  return { messages: isCheck ? sentence.filter(isSentence) : [], sentences: [] };
}

/** In contrast to a name, such as that of a column. */
const isSentence = (node: Node) =>
  node.type === 'TemplateLiteral' || / /.test(textsOf(node, new Map()).join());

/** Of texts elsewhere, those with the form of a message: in functions that return one, and in options. */
function messageOf(node: Node): Node[] {
  return node.type === 'Literal' || node.type === 'TemplateLiteral' ? [node] : [];
}

function read(): { messages: Found[]; sentences: Found[] } {
  const messages: Found[] = [];
  const sentences: Found[] = [];
  const paths = FOLDERS.flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.ts`).scanSync(SRC)]);
  for (const path of paths.filter((each) => !OTHERS.test(each)).sort()) {
    const nodes = nodesOf(path);
    const constants = new Map(
      nodes.flatMap((node) =>
        node.type === 'VariableDeclarator' && node.init ? [[nameOf(node.id), node.init] as const] : [],
      ),
    );
    for (const node of nodes) {
      const isForm = messageOf(node).length > 0;
      const spoken = spokenIn(node);
      for (const text of spoken.messages.flatMap((each) => textsOf(each, constants)))
        if (!isForm || MESSAGE.test(text)) messages.push({ text, path });
      for (const text of spoken.sentences.flatMap((each) => textsOf(each, constants)))
        sentences.push({ text, path });
    }
  }
  return { messages, sentences };
}

const { messages, sentences } = read();
/** Without the pattern of values, which would accept other messages. */
const translateOwn = createTranslate(
  Object.fromEntries(Object.entries(GERMAN).filter(([english]) => !english.includes('{list}'))),
);
const isValues = (text: string) => text === 'must be {}';

/** Reports whether there is German for a text, or for each value of its expressions that the table lists. */
function isTranslated({ text }: Found): boolean {
  const pattern = new RegExp(`^${text.split('{}').map(RegExp.escape).join('.*')}$`);
  return (
    translateOwn(text.replaceAll('{}', '7')) !== null || Object.keys(GERMAN).some((key) => pattern.test(key))
  );
}

const lines = (found: Found[]) => [...new Set(found.map(({ path, text }) => `${path}: ${text}`))];

test('every message of a field is translated', () => {
  expect(messages.length).toBeGreaterThan(120);
  expect(lines(messages.filter((each) => !isValues(each.text) && !isTranslated(each)))).toEqual([]);
});

test('every sentence of a problem with a fact is translated', () => {
  const facts = sentences.filter(({ text }) => text.includes('{}') && !FIELD.test(text));
  expect(facts.length).toBeGreaterThan(15);
  expect(lines(facts.filter((each) => !isTranslated(each)))).toEqual([]);
});

test('a German text has the placeholders of the English one', () => {
  const countIn = (text: string) => text.match(/\{(?:list)?\}/g)?.length ?? 0;
  for (const [english, german] of Object.entries(GERMAN))
    expect([english, countIn(german)]).toEqual([english, countIn(english)]);
});
