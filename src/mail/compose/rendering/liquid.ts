import { CaptureTag, type Context, type Emitter, Liquid, LiquidError, toValueSync } from 'liquidjs';
import type { Problem } from '../../../kernel/problem.ts';
import { invalidTemplate } from './invalid-template.ts';
import { BoundedCase, BoundedContext, boundFilters, boundOperators } from './liquid-limits.ts';

export interface LiquidSource {
  text: string;
  data: Record<string, unknown>;
  /** Output into HTML is escaped unless `| raw`. */
  markup: 'html' | 'text';
  /** A missing variable is an error. */
  strict: boolean;
  /** Request field that errors name. */
  field: string;
}

/**
 * Renders Liquid: own properties only, no files, no other templates, no filters that evaluate expressions;
 * bounded in time, work, memory and output.
 * @throws Problem 400 `invalid_template` with line and column
 */
export type RenderLiquid = (source: LiquidSource) => string;

const LIMITS = { parseLimit: 2_000_000, renderLimit: 1_000, memoryLimit: 10_000_000 };
const MAX_OUTPUT_LENGTH = 5_000_000;
/** Tags that read another template. */
const REMOVED_TAGS = ['include', 'render', 'layout', 'block'];
/** Filters whose output is HTML already, so that it is not escaped twice. */
const ESCAPING_FILTERS = ['escape', 'xml_escape', 'escape_once'];

export function createLiquid(): RenderLiquid {
  const engines = { html: createEngine('html'), text: createEngine('text') };
  return ({ text, data, markup, strict, field }) => {
    const engine = engines[markup];
    try {
      const templates = engine.parse(text);
      // Without a prototype, and a copy, since `increment` writes into it.
      const scope = Object.assign(Object.create(null) as object, data);
      const context = new BoundedContext(scope, engine, strict);
      const output = createOutput(context);
      toValueSync(engine.renderer.renderTemplates(templates, context, output));
      return output.buffer;
    } catch (error) {
      throw templateProblem(error, field);
    }
  };
}

function createEngine(markup: LiquidSource['markup']): Liquid {
  const engine = new Liquid({
    ...LIMITS,
    ownPropertyOnly: true,
    strictFilters: true,
    lenientIf: true,
    timezoneOffset: 0,
    // An empty set of templates in memory instead of the file system.
    templates: {},
    operators: boundOperators,
  });
  boundFilters(engine);
  for (const tag of REMOVED_TAGS) delete engine.tags[tag];
  engine.registerTag('capture', CountedCapture);
  engine.registerTag('case', BoundedCase);
  for (const name of ESCAPING_FILTERS) {
    const filter = engine.filters[name];
    if (typeof filter !== 'function') continue;
    engine.registerFilter(name, { raw: true, handler: filter });
    if (name === 'escape' && markup === 'html') engine.options.outputEscape = filter;
  }
  return engine;
}

/** Counts captured text as memory, since captures of captures double with every line. */
class CountedCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const output = createOutput(context);
    yield this.liquid.renderer.renderTemplates(this.templates, context, output);
    const captured = output.buffer;
    context.memoryLimit.use(captured.length);
    context.bottom()[this.variable] = captured;
  }
}

function createOutput(context: Context): Emitter {
  return {
    buffer: '',
    write(value: unknown) {
      if (typeof value === 'object' && context instanceof BoundedContext) context.charge(value);
      this.buffer += textOf(value);
      if (this.buffer.length > MAX_OUTPUT_LENGTH)
        throw new Error(`output limit exceeded (${MAX_OUTPUT_LENGTH} characters)`);
    },
  };
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOf).join('');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function templateProblem(error: unknown, field: string): Problem {
  if (!LiquidError.is(error))
    return invalidTemplate(field, error instanceof Error ? firstLine(error.message) : 'cannot be rendered');
  const [line, column] = error.token.getPosition();
  return invalidTemplate(field, firstLine(error.message.replace(/, line:\d+, col:\d+$/, '')), line, column);
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 300);
}
