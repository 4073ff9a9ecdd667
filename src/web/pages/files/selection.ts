import { useState } from 'react';
import type { Entry } from './entries.ts';

/** Which lines are chosen, and on which the keyboard is. */
export interface Selection {
  chosen: ReadonlySet<string>;
  /** Place of the line that keys act on; -1 = none yet. */
  active: number;
  /** Chooses one alone; with `toggle` adds or takes it away, with `range` everything from the last one to it. */
  choose(index: number, how?: { toggle?: boolean; range?: boolean }): void;
  chooseAll(): void;
  clear(): void;
  /** Moves the keyboard's place without choosing. */
  goTo(index: number): void;
}

export function useSelection(entries: readonly Entry[], folderId: string): Selection {
  const [state, setState] = useState({ folderId, chosen: new Set<string>(), active: -1, anchor: -1 });
  // Another folder: nothing of the earlier one stays chosen.
  const current = state.folderId === folderId ? state : { folderId, chosen: new Set<string>(), active: -1, anchor: -1 };
  const idsBetween = (from: number, to: number) =>
    entries.slice(Math.max(0, Math.min(from, to)), Math.max(from, to) + 1).map(({ id }) => id);
  return {
    chosen: current.chosen,
    active: Math.min(current.active, entries.length - 1),
    choose(index, { toggle = false, range = false } = {}) {
      const id = entries[index]?.id;
      if (id === undefined) return;
      if (range) {
        const anchor = current.anchor < 0 ? index : current.anchor;
        setState({ ...current, chosen: new Set(idsBetween(anchor, index)), active: index, anchor });
        return;
      }
      const chosen = new Set(toggle ? current.chosen : []);
      if (toggle && chosen.has(id)) chosen.delete(id);
      else chosen.add(id);
      setState({ ...current, chosen, active: index, anchor: index });
    },
    chooseAll: () => setState({ ...current, chosen: new Set(entries.map(({ id }) => id)) }),
    clear: () => setState({ ...current, chosen: new Set() }),
    goTo: (index) => setState({ ...current, active: index, anchor: index }),
  };
}
