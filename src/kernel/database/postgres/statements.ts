/** Names under which PostgreSQL keeps statements prepared, one set on each connection. */
export interface StatementNames {
  /** Keeps a look-up prepared from now on. The program must have a fixed number of them: none is ever removed. */
  add(text: string): void;
  /** Returns the name of a statement; undefined = it is parsed and planned at each run. */
  of(text: string): string | undefined;
}

/** @param mayUse reports whether names may be used now */
export function createStatementNames(mayUse: () => boolean): StatementNames {
  const names = new Map<string, string>();
  return {
    add(text) {
      if (!names.has(text)) names.set(text, `posthouse_${names.size}`);
    },
    of: (text) => (mayUse() ? names.get(text) : undefined),
  };
}
