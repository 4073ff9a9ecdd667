import type { Fields } from './content/plain-fields.ts';

/** Adds a name to `Vary`, unless it is already there. */
export function addVary(fields: Pick<Fields, 'get' | 'set'>, name: string): void {
  const list = fields.get('vary');
  const names = list?.split(',') ?? [];
  if (names.some((known) => known.trim().toLowerCase() === name.toLowerCase())) return;
  fields.set('vary', list === null ? name : `${list}, ${name}`);
}
