import type { App } from '../context.ts';

/** Methods and spelling of a path that no route matches as it was written. */
export interface KnownPath {
  /** The path as the routes write it; its parameters as they were given. */
  path: string;
  methods: ReadonlySet<string>;
}

/** More segments than any path has. */
const MAX_PARAMETERS = 100;

export interface KnownPaths {
  /**
   * Finds a path that differs from a route in letter case or a slash at the end, or that has other methods; of several
   * routes, the one with the most fixed names.
   */
  find(path: string): KnownPath | null;
  /**
   * Reports whether a path that matches a route can also be that of another route, which has more fixed names. Returns
   * true for the pattern of middleware.
   * @param pattern such as `/messages/:id`
   */
  isAmbiguous(pattern: string): boolean;
}

/** The path of routes, split once: most searches compare all patterns with a path that a scanner guessed. */
interface Pattern {
  shape: string;
  segments: readonly string[];
  lowerCase: readonly string[];
  methods: Set<string>;
}

/** Reads the routes at the first call, after all have been added. */
export function createKnownPaths(app: App): KnownPaths {
  let patterns: readonly Pattern[] | undefined;
  const ambiguous = new Map<string, boolean>();

  function all(): readonly Pattern[] {
    patterns ??= read();
    return patterns;
  }

  function read(): Pattern[] {
    const found = new Map<string, Pattern>();
    for (const { method, path } of app.routes) {
      // `ALL` is middleware.
      if (method === 'ALL') continue;
      // Routes may name the same parameter differently.
      const shape = shapeOf(path);
      const pattern = found.get(shape) ?? {
        shape,
        segments: path.split('/'),
        lowerCase: path.toLowerCase().split('/'),
        methods: new Set(),
      };
      pattern.methods.add(method);
      found.set(shape, pattern);
    }
    // Requests with HEAD reach the routes of GET. A route of HEAD declares that the one of GET supports nothing else.
    for (const { methods } of found.values()) if (methods.has('HEAD')) methods.delete('GET');
    return [...found.values()].sort((a, b) => rankOf(a) - rankOf(b));
  }

  function isAmbiguous(path: string): boolean {
    const index = all().findIndex(({ shape }) => shape === shapeOf(path));
    const own = all()[index]?.lowerCase;
    return own === undefined || all().some((each, at) => at < index && haveCommonPath(each.lowerCase, own));
  }

  return {
    find(path) {
      const given = withoutSlashesAtEnd(path).split('/');
      const lowerCase = given.map((segment) => segment.toLowerCase());
      const pattern = all().find((each) => matches(each.lowerCase, lowerCase));
      return pattern ? { path: writtenAs(pattern.segments, given), methods: pattern.methods } : null;
    },
    isAmbiguous(pattern) {
      const known = ambiguous.get(pattern) ?? isAmbiguous(pattern);
      ambiguous.set(pattern, known);
      return known;
    },
  };
}

/** Returns a pattern without the names of its parameters. */
const shapeOf = (path: string) => path.replace(/:[^/]+/g, ':');

/** An expression such as `/\/+$/` would take time quadratic in the number of slashes. */
function withoutSlashesAtEnd(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/** Returns a number that is lower for patterns with more fixed names, and highest for open ones. */
const rankOf = ({ segments }: Pattern) =>
  segments.filter(isParameter).length + (segments.at(-1) === '*' ? MAX_PARAMETERS : 0);

const isParameter = (segment: string) => segment === '*' || segment.startsWith(':');

/** Reports whether a path matches a pattern, both in lower case. */
function matches(pattern: readonly string[], given: readonly string[]): boolean {
  const isOpen = pattern.at(-1) === '*';
  if (isOpen ? given.length < pattern.length : given.length !== pattern.length) return false;
  return given.every((segment, index) => {
    const expected = pattern[index] ?? '*';
    return expected === segment || expected === '*' || (expected.startsWith(':') && segment !== '');
  });
}

/** Reports whether a path can match both patterns, in lower case; the first has the more fixed names. */
function haveCommonPath(first: readonly string[], second: readonly string[]): boolean {
  if (second.at(-1) === '*') return true;
  return (
    first.length === second.length &&
    first.every((segment, index) => {
      const other = second[index] ?? '';
      return segment === other || isParameter(segment) || isParameter(other);
    })
  );
}

/** Returns a path that matches a pattern, with the spelling of the pattern. */
const writtenAs = (pattern: readonly string[], given: readonly string[]) =>
  given
    .map((segment, index) => {
      const expected = pattern[index] ?? '*';
      return isParameter(expected) ? segment : expected;
    })
    .join('/');

/** Returns the value of `Allow` (RFC 9110 §10.2.1). */
export function allowOf(methods: ReadonlySet<string>): string {
  const all = new Set(methods);
  if (all.has('GET')) all.add('HEAD');
  return [...all.add('OPTIONS')].sort().join(', ');
}
