/** Adds a name to `Vary`, unless it is already there. */
export function addVary(headers: Headers, name: string): void {
  const names = headers.get('Vary')?.split(',') ?? [];
  if (names.some((known) => known.trim().toLowerCase() === name.toLowerCase())) return;
  headers.append('Vary', name);
}
