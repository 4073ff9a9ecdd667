/** Returns the `code` of an error, such as `ENOSPC` or `SQLITE_BUSY`; undefined when it has none. */
export function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null | undefined)?.code;
}
