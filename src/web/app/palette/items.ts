import type { ReactNode } from 'react';

/** An entry of the palette. */
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

/** Returns the group without the items that do not match, or nothing if none is left. */
export function matching(label: string, items: readonly PaletteItem[], query: string): PaletteGroup[] {
  const words = query.toLocaleLowerCase().split(/\s+/);
  const found = items.filter((item) => words.every((word) => item.label.toLocaleLowerCase().includes(word)));
  return found.length > 0 ? [{ label, items: found }] : [];
}
