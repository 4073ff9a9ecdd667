import type { ReactNode } from 'react';
import { nameKey } from '../../../text/name-key.ts';

export interface PaletteItem {
  id: string;
  label: string;
  description?: string;
  icon: ReactNode;
  run(): void;
}

export interface PaletteGroup {
  label: string;
  items: PaletteItem[];
}

/** Returns a group of these items, or nothing if there are none. */
export const groupOf = (label: string, items: PaletteItem[]): PaletteGroup[] =>
  items.length > 0 ? [{ label, items }] : [];

/** Returns the group without the items that do not match, or nothing if none is left. */
export function matching(label: string, items: readonly PaletteItem[], query: string): PaletteGroup[] {
  const words = nameKey(query).split(/\s+/);
  const isFound = ({ label, description = '' }: PaletteItem) => {
    const text = nameKey(`${label} ${description}`);
    return words.every((word) => text.includes(word));
  };
  return groupOf(label, items.filter(isFound));
}
