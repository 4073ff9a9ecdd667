import type { Result, Router } from 'hono/router';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { TrieRouter } from 'hono/router/trie-router';

/**
 * Creates a router that finds fixed paths in a map, and most others with one regular expression. Hono's own choice
 * would be its slower tree for all of them, since the regular expression cannot contain a fixed name and a parameter
 * in the same place (`/messages/statistics`, `/messages/:id`). Patterns with both (`/a/:id/parts`, `/a/:id/:part`) are
 * found in the tree.
 */
export function createRouter<Handler>(): Router<Handler> {
  const all = new TrieRouter<Handler>();
  const patterns = new RegExpRouter<Handler>();
  const waiting: Route<Handler>[] = [];
  /** Beginnings of the patterns that are found in the tree; undefined until the first request. */
  let ambiguous: string[] | undefined;
  /** The handlers of fixed paths by method, found in the tree when first requested. */
  const fixed = new Map<string, Map<string, Result<Handler>>>();
  /** The last match of a pattern: a request is matched twice, for its route and for its handler. */
  let last: { method: string; path: string; result: Result<Handler> } | undefined;

  function find(method: string, path: string): Result<Handler> {
    ambiguous ??= ambiguousBeginnings(waiting);
    const beginnings = ambiguous;
    const isAmbiguous = (of: string) => beginnings.some((beginning) => of.startsWith(beginning));
    for (const route of waiting.splice(0)) if (!isAmbiguous(route[1])) patterns.add(...route);
    return (isAmbiguous(path) ? all : patterns).match(method, path);
  }

  return {
    name: 'FixedPathRouter',
    add(method, path, handler) {
      all.add(method, path, handler);
      if (/[:*]/.test(path)) waiting.push([method, path, handler]);
      else fixed.set(path, new Map());
    },
    match(method, path) {
      const byMethod = fixed.get(path);
      if (!byMethod) {
        if (last?.path !== path || last.method !== method)
          last = { method, path, result: find(method, path) };
        return last.result;
      }
      const known = byMethod.get(method);
      if (known) return known;
      const found = all.match(method, path);
      byMethod.set(method, found);
      return found;
    },
  };
}

type Route<Handler> = [method: string, path: string, handler: Handler];

/** Returns the fixed beginnings after which one pattern of a method has a name, and another a parameter. */
function ambiguousBeginnings(routes: readonly Route<unknown>[]): string[] {
  const names = new Map<string, Set<boolean>>();
  const found = new Set<string>();
  for (const [method, path] of routes) {
    const segments = path.split('/');
    for (const [index, segment] of segments.entries()) {
      if (segment === '*') break;
      const place = `${method} ${segments
        .slice(0, index)
        .join('/')
        .replace(/:[^/]+/g, ':')}`;
      const kinds = (names.get(place) ?? new Set()).add(segment.startsWith(':'));
      names.set(place, kinds);
      if (kinds.size === 2) found.add(path.slice(0, path.indexOf(':')));
    }
  }
  return [...found];
}
