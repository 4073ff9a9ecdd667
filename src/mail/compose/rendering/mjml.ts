import { skipComments } from '../../../kernel/markup-comments.ts';
import { invalidTemplate } from './invalid-template.ts';
import type { MjmlEngine } from './mjml-engine.ts';

/**
 * Converts MJML to HTML. No font is loaded from elsewhere and nothing is included.
 * @param field request field that errors name
 * @throws Problem 400 `invalid_template`
 */
export type RenderMjml = (source: string, field: string) => string;

/** mrml recurses for each level; its stack overflows between 400 and 500. */
const DEEPEST = 50;

/** HTML elements without a closing tag, as mrml defines them: in lower case only. */
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));

/** Reports whether a template is MJML: its first element, after any comments, is `mjml`. */
export function isMjml(source: string): boolean {
  const at = skipComments(source);
  return /^<mjml[\s>]/i.test(source.slice(at, at + 6));
}

export function createMjml(engine: MjmlEngine): RenderMjml {
  return (template, field) => {
    const source = template.trim();
    if (isTooDeep(source)) throw invalidTemplate(field, `the MJML is nested more than ${DEEPEST} deep`);
    const result = renderIn(engine, source, field);
    if (result.type === 'success') return result.content;
    const details = result.origin === 'parser' ? result.details : null;
    const reason = `the MJML is not valid: ${details?.type.replaceAll('-', ' ') ?? result.message}`;
    if (!details || !('position' in details)) throw invalidTemplate(field, reason);
    const before = Buffer.from(source).subarray(0, details.position.start).toString('utf8').split('\n');
    throw invalidTemplate(field, reason, before.length, (before.at(-1)?.length ?? 0) + 1);
  };
}

function renderIn(engine: MjmlEngine, source: string, field: string): ReturnType<MjmlEngine> {
  try {
    return engine(source);
  } catch {
    throw invalidTemplate(field, 'the MJML cannot be rendered');
  }
}

/**
 * Reports whether elements are nested deeper than `DEEPEST`, in one pass.
 * Never counts fewer levels than mrml descends: a closing tag counts only when it has the name of the
 * innermost open element, and the scan ends early only at syntax that mrml refuses.
 */
function isTooDeep(source: string): boolean {
  const open: string[] = [];
  let at = source.indexOf('<');
  while (at >= 0 && open.length <= DEEPEST) {
    const end = source.startsWith('<!--', at) ? endOfComment(source, at) : endOfTag(source, at);
    if (end < 0) return false;
    applyTag(open, source.slice(at + 1, end - 1));
    at = source.indexOf('<', end);
  }
  return open.length > DEEPEST;
}

/** @param tag between `<` and `>` */
function applyTag(open: string[], tag: string): void {
  if (tag.startsWith('/')) {
    if (open.at(-1) === tag.slice(1).trim()) open.pop();
  } else if (!/^[!?]/.test(tag) && !tag.endsWith('/')) {
    const name = /^[^\s/>]*/.exec(tag)?.[0] ?? '';
    if (!VOID.has(name)) open.push(name);
  }
}

/** Returns the position after the comment that begins at `at`, or -1. */
function endOfComment(source: string, at: number): number {
  const end = source.indexOf('-->', at + 4);
  return end < 0 ? -1 : end + 3;
}

/** Returns the position after the tag that begins at `at`, or -1; a `>` within a quoted value does not end it. */
function endOfTag(source: string, at: number): number {
  for (let position = at + 1; position < source.length; position++) {
    const character = source[position];
    if (character === '>') return position + 1;
    if (character === '"' || character === "'") {
      position = source.indexOf(character, position + 1);
      if (position < 0) return -1;
    }
  }
  return -1;
}
