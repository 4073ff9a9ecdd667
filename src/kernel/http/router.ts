import type { Result, Router } from 'hono/router';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { TrieRouter } from 'hono/router/trie-router';

/**
 * Creates a router that finds fixed paths in a map, and all others with one regular expression. Hono's own choice
 * would be its slower tree for all of them, since the regular expression cannot contain a fixed name beside a
 * parameter (`/messages/statistics`, `/messages/:id`).
 */
export function createRouter<Handler>(): Router<Handler> {
  const all = new TrieRouter<Handler>();
  const patterns = new RegExpRouter<Handler>();
  /** The handlers of fixed paths by method, found in the tree when first requested. */
  const fixed = new Map<string, Map<string, Result<Handler>>>();
  /** The last match of a pattern: a request is matched twice, for its route and for its handler. */
  let last: { method: string; path: string; result: Result<Handler> } | undefined;
  return {
    name: 'FixedPathRouter',
    add(method, path, handler) {
      all.add(method, path, handler);
      if (/[:*]/.test(path)) patterns.add(method, path, handler);
      else fixed.set(path, new Map());
    },
    match(method, path) {
      const byMethod = fixed.get(path);
      if (!byMethod) {
        if (last?.path !== path || last.method !== method)
          last = { method, path, result: patterns.match(method, path) };
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
