import type { App } from './context.ts';

/** Methods and spelling of a path that no route matches as it was written. */
export interface KnownPath {
  /** The path as the routes write it; its parameters as they were given. */
  path: string;
  /** The methods of its routes. */
  methods: ReadonlySet<string>;
}

/**
 * Creates a search for paths that differ from a route in letter case or a slash at the end. The routes are read at
 * the first search, which only requests without a route need.
 */
export function createKnownPaths(app: App): (path: string) => KnownPath | null {
  let patterns: Map<string, Set<string>> | undefined;

  function read(): Map<string, Set<string>> {
    const found = new Map<string, Set<string>>();
    for (const { method, path } of app.routes) {
      // `ALL` is middleware.
      if (method === 'ALL') continue;
      const methods = found.get(path) ?? new Set();
      found.set(path, methods.add(method));
    }
    return found;
  }

  return (path) => {
    patterns ??= read();
    const given = path.replace(/(?<!^)\/+$/, '').split('/');
    for (const [pattern, methods] of patterns) {
      const written = writtenAs(pattern.split('/'), given);
      if (written !== null) return { path: written, methods };
    }
    return null;
  };
}

/** Returns a path with the words of a pattern; null = it does not match. */
function writtenAs(pattern: readonly string[], given: readonly string[]): string | null {
  const isOpen = pattern.at(-1) === '*';
  if (isOpen ? given.length < pattern.length : given.length !== pattern.length) return null;
  const words = given.map((word, index) => {
    const expected = pattern[index] ?? '*';
    if (expected === '*' || (expected.startsWith(':') && word !== '')) return word;
    return expected.toLowerCase() === word.toLowerCase() ? expected : null;
  });
  return words.includes(null) ? null : words.join('/');
}

/** Returns the value of `Allow` (RFC 9110 §10.2.1). */
export function allowOf(methods: ReadonlySet<string>): string {
  const all = new Set(methods);
  if (all.has('GET')) all.add('HEAD');
  return [...all.add('OPTIONS')].sort().join(', ');
}
