import {
  CaseTag,
  Context,
  defaultOperators,
  type Emitter,
  type FilterImplOptions,
  type Liquid,
  type Operators,
  toValueSync,
} from 'liquidjs';

/** A filter without its options. */
type Handler = Exclude<FilterImplOptions, { raw: boolean }>;

/**
 * Maximum work of one rendering: characters and items that filters, comparisons and outputs read, times their
 * nesting depth.
 */
const MAX_WORK = 20_000_000;

/** Filters that evaluate an expression for each item, without a bound on the product of both. */
const EXPRESSION_FILTERS = 'where_exp reject_exp group_by_exp has_exp find_exp find_index_exp'.split(' ');
/** Filters that read a constant number of items. */
const CONSTANT_FILTERS = new Set(['size', 'first', 'last', 'default', 'raw']);
/** Filters that look for their first argument in the text; `lastIndexOf` of JavaScriptCore is quadratic. */
const SEARCH_FILTERS = new Set(
  'replace replace_first replace_last remove remove_first remove_last split'.split(' '),
);
/** Filters that copy a list without reading into its items. */
const LIST_FILTERS = new Set('push unshift concat reverse compact pop shift uniq slice'.split(' '));
/** Filters that read from each item the property that their first argument names. */
const PROPERTY_FILTERS = new Set('where reject group_by has find find_index map sum'.split(' '));
/** Filters that cost more than others: the factor of their cost per character. */
const COSTS = new Map(
  Object.entries({ sort: 10, sort_natural: 20, sample: 10, date: 20, json: 3, jsonify: 3, inspect: 3 }),
);
const COST_OF_COMPARED_ITEM = 20;

/**
 * The context of one rendering, with a bound on its work.
 * liquidjs checks its own time limit only between the nodes of a template; this context also checks it
 * whenever an expression reads a property and whenever a filter reads an item's scope.
 */
export class BoundedContext extends Context {
  private readonly work: { left: number };

  constructor(
    scope: object,
    engine: Liquid,
    strict: boolean,
    shared?: Pick<Context, 'renderLimit' | 'memoryLimit'> & { work: { left: number } },
  ) {
    super(scope, engine.options, { strictVariables: strict, sync: true }, { ...shared, liquid: engine });
    this.work = shared?.work ?? { left: MAX_WORK };
    if (!shared) this.renderLimit.check = createTimeCheck(engine.options.renderLimit);
  }

  override spawn(scope: object = {}): Context {
    this.checkTime();
    const { renderLimit, memoryLimit, work } = this;
    return new BoundedContext(scope, this.liquid as Liquid, this.strictVariables, {
      renderLimit,
      memoryLimit,
      work,
    });
  }

  override readProperty(...read: Parameters<Context['readProperty']>): unknown {
    this.checkTime();
    return super.readProperty(...read);
  }

  /** @throws Error once the time limit is exceeded */
  checkTime(): void {
    this.renderLimit.check(performance.now());
  }

  /** Charges the work of reading `value` to its end, `times` over. @throws Error once the work limit is exceeded */
  charge(value: unknown, times = 1): void {
    this.spend(weightOf(value, this.work.left / times) * times);
  }

  /** @throws Error once the work limit is exceeded */
  spend(work: number): void {
    this.checkTime();
    if (work > this.work.left) throw new Error(`work limit exceeded (${MAX_WORK} characters and items)`);
    this.work.left -= work;
  }
}

/**
 * Returns a check of the CPU time from now on. The limit of liquidjs is one of elapsed time, which any template can
 * exceed in a child process of low priority on a busy machine.
 */
function createTimeCheck(ms: number): () => void {
  const cpuMs = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };
  const end = performance.now() + ms;
  const cpuEnd = cpuMs() + ms;
  return () => {
    if (performance.now() > end && cpuMs() > cpuEnd) throw new Error('template render limit exceeded');
  };
}

/** Returns the number of characters and items times their depth, or a number above `limit`. */
function weightOf(value: unknown, limit: number): number {
  if (typeof value === 'string') return value.length;
  if (!isNested(value)) return 1;
  let weight = 0;
  const open: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let next = open.pop(); next && weight <= limit; next = open.pop()) {
    const { value: current, depth } = next;
    if (!isNested(current)) {
      weight += depth * (typeof current === 'string' ? current.length + 1 : 1);
      continue;
    }
    const inner = Array.isArray(current) ? current : Object.values(current);
    weight += (depth + 1) * (inner.length + 1);
    if (weight <= limit) for (const item of inner) open.push({ value: item, depth: depth + 1 });
  }
  return weight;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Removes the filters without a bound and charges the input of each other one. */
export function boundFilters(engine: Liquid): void {
  for (const name of EXPRESSION_FILTERS) delete engine.filters[name];
  for (const [name, filter] of Object.entries(engine.filters)) {
    if (CONSTANT_FILTERS.has(name)) continue;
    if (typeof filter === 'function') engine.registerFilter(name, boundFilter(name, filter));
    else engine.registerFilter(name, { ...filter, handler: boundFilter(name, filter.handler) });
  }
}

/** Charges the input of a filter before it runs. */
function boundFilter(name: string, handler: Handler): Handler {
  return function (value: unknown, ...rest: unknown[]) {
    if (this.context instanceof BoundedContext) chargeInput(this.context, name, value, rest);
    return handler.call(this, value, ...rest);
  };
}

/** Charges the input and the arguments of a filter, so that no list of lists grows without a charge. */
function chargeInput(context: BoundedContext, name: string, value: unknown, rest: unknown[]): void {
  const cost = COSTS.get(name) ?? 1;
  for (const argument of rest) context.charge(argument, cost);
  const [argument, expected] = rest;
  const items = Array.isArray(value) || typeof value === 'string' ? value.length : 1;
  const argumentLength = String(argument ?? '').length;
  if (LIST_FILTERS.has(name)) context.spend(items);
  else if (SEARCH_FILTERS.has(name)) context.charge(value, 1 + argumentLength / 100);
  else if (PROPERTY_FILTERS.has(name)) {
    context.spend(items * (1 + argumentLength / 10));
    if (Array.isArray(expected)) context.charge(value, COST_OF_COMPARED_ITEM);
  } else context.charge(sortedValues(name, value, argument), cost);
}

/** Returns the values that a sort compares. */
function sortedValues(name: string, value: unknown, property: unknown): unknown {
  if (!name.startsWith('sort') || !Array.isArray(value) || !property) return value;
  const path = String(property).split('.');
  return value.map((item: unknown) =>
    path.reduce((inner, key) => (isNested(inner) ? (inner as Record<string, unknown>)[key] : inner), item),
  );
}

/** The operators of expressions; those that compare lists charge their items. */
export const boundOperators: Operators = Object.fromEntries(
  Object.entries(defaultOperators).map(([name, operator]) => [
    name,
    (...operands: unknown[]) => {
      const context = operands.at(-1);
      if (context instanceof BoundedContext) {
        context.checkTime();
        for (const operand of operands.slice(0, -1))
          if (Array.isArray(operand)) context.charge(operand, COST_OF_COMPARED_ITEM);
      }
      return (operator as (...all: unknown[]) => ReturnType<typeof operator>)(...operands);
    },
  ]),
);

/** Charges a list in `case` once for each `when` that it is compared with. */
export class BoundedCase extends CaseTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const target = toValueSync(this.value.value(context, true));
    if (context instanceof BoundedContext && Array.isArray(target)) {
      const compared = this.branches.reduce((sum, { values }) => sum + values.length, 0);
      context.charge(target, compared * COST_OF_COMPARED_ITEM);
    }
    yield* super.render(context, emitter);
  }
}
