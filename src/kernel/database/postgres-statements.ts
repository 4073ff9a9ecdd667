/** Names under which PostgreSQL keeps statements prepared, one set on each connection. */
export interface StatementNames {
  /** Makes the look-up one that is prepared. There is a fixed number of them, since they are never forgotten. */
  add(text: string): void;
  /** Returns the name of a statement; undefined = it is parsed and planned at each run. */
  of(text: string): string | undefined;
}

/** @param mayUse reports whether names may be used now */
export function createStatementNames(mayUse: () => boolean): StatementNames {
  const names = new Map<string, string>();
  return {
    add: (text) => void names.set(text, `posthouse_${names.size}`),
    of: (text) => (mayUse() ? names.get(text) : undefined),
  };
}
