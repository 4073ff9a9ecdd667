import { parseSync } from 'oxc-parser';

/** One small change of a source text. */
export interface Mutation {
  start: number;
  end: number;
  replacement: string;
  /** From 1. */
  line: number;
  /** The line before the change, trimmed. */
  code: string;
  /** The change, as `<` → `<=`. */
  change: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

type Edit = readonly [start: number, end: number, replacement: string];

const OPERATORS: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '**': '*',
  '&': '|',
  '|': '&',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
  '+=': '-=',
  '-=': '+=',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};
const METHODS = new Map(
  Object.entries({
    min: 'max',
    max: 'min',
    ceil: 'floor',
    floor: 'ceil',
    round: 'floor',
    some: 'every',
    every: 'some',
    startsWith: 'endsWith',
    endsWith: 'startsWith',
    toLowerCase: 'toUpperCase',
    toUpperCase: 'toLowerCase',
    trim: 'toString',
  }),
);

/** Syntax without effect at run time. */
const SKIPPED = /^(?:TSType|TSInterface|TSEnum|Import|TSDeclare)/;

/**
 * Returns the mutations of a TypeScript source: operators, boundaries, constants, conditions that are always true
 * or false, removed statements, exchanged methods, anchors taken off regular expressions.
 */
export function mutationsOf(file: string, source: string): Mutation[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`);
  const lines = source.split('\n');
  const mutations: Mutation[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value) || SKIPPED.test(value.type)) return;
    for (const [start, end, replacement] of editsOf(value, source)) {
      const line = source.slice(0, start).split('\n').length;
      const before = source.slice(start, end).replace(/\s+/g, ' ');
      const code = (lines[line - 1] ?? '').trim();
      const change = `${before} → ${replacement || 'nothing'}`;
      mutations.push({ start, end, replacement, line, code, change });
    }
    Object.values(value).forEach(visit);
  };
  visit(program);
  return mutations.sort((a, b) => a.start - b.start);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

function editsOf(node: Node, source: string): Edit[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      return operatorEdits(node, source);
    case 'UnaryExpression':
      return node.operator === '!' || node.operator === '-' ? [[node.start, node.start + 1, '']] : [];
    case 'IfStatement':
    case 'ConditionalExpression':
      return ['true', 'false'].map((always) => [...spanOf(node.test), always] as const);
    case 'ExpressionStatement':
      return [[node.start, node.end, ';']];
    case 'Literal':
      return literalEdits(node);
    case 'CallExpression':
      return methodEdits(node);
    default:
      return [];
  }
}

function spanOf(node: unknown): readonly [start: number, end: number] {
  return isNode(node) ? [node.start, node.end] : [0, 0];
}

function operatorEdits({ operator, left, right }: Node, source: string): Edit[] {
  const replacement = OPERATORS[String(operator)];
  if (replacement === undefined) return [];
  const [start] = [spanOf(left)[1]];
  const at = source.slice(0, spanOf(right)[0]).lastIndexOf(String(operator));
  return at < start ? [] : [[at, at + String(operator).length, replacement]];
}

function literalEdits({ start, end, value, regex }: Node): Edit[] {
  if (typeof value === 'boolean') return [[start, end, String(!value)]];
  if (typeof value === 'number') return [[start, end, String(value < 100 ? value + 1 : value * 2)]];
  if (!isPattern(regex)) return [];
  const { pattern } = regex;
  const last = start + 1 + pattern.length;
  return [
    ...(pattern.startsWith('^') ? [[start + 1, start + 2, ''] as const] : []),
    ...(pattern.endsWith('$') ? [[last - 1, last, ''] as const] : []),
  ];
}

function isPattern(value: unknown): value is { pattern: string } {
  return typeof (value as { pattern?: unknown } | undefined)?.pattern === 'string';
}

function methodEdits({ callee }: Node): Edit[] {
  if (!isNode(callee) || callee.type !== 'MemberExpression' || !isNode(callee.property)) return [];
  const { name, start, end } = callee.property;
  const replacement = METHODS.get(String(name));
  return replacement === undefined ? [] : [[start, end, replacement]];
}
