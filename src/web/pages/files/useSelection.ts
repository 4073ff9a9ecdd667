import { useState } from 'react';
import type { Entry } from './entries.ts';

/** The selected entries, and the active entry that the keyboard acts on. */
export interface Selection {
  selected: ReadonlySet<string>;
  /** Index of the active entry; -1 before the first key. */
  active: number;
  /** Selects one entry alone, adds or removes it (`toggle`), or selects the range from the anchor to it (`range`). */
  select(index: number, mode?: { toggle?: boolean; range?: boolean }): void;
  selectAll(): void;
  clear(): void;
  /** Makes an entry active without selecting it. */
  activate(index: number): void;
}

interface State {
  folderId: string;
  selected: ReadonlySet<string>;
  active: number;
  /** Start of a range. */
  anchor: number;
}

export function useSelection(entries: readonly Entry[], folderId: string): Selection {
  const empty: State = { folderId, selected: new Set(), active: -1, anchor: -1 };
  const [state, setState] = useState(empty);
  // The selection of another folder does not apply.
  const current = state.folderId === folderId ? state : empty;

  return {
    selected: current.selected,
    active: Math.min(current.active, entries.length - 1),
    select(index, { toggle = false, range = false } = {}) {
      const id = entries[index]?.id;
      if (id === undefined) return;
      if (range) {
        const anchor = current.anchor < 0 ? index : current.anchor;
        setState({ ...current, selected: idsBetween(entries, anchor, index), active: index, anchor });
      } else {
        const selected = toggle ? current.selected.symmetricDifference(new Set([id])) : new Set([id]);
        setState({ ...current, selected, active: index, anchor: index });
      }
    },
    selectAll: () => setState({ ...current, selected: new Set(entries.map(({ id }) => id)) }),
    clear: () => setState({ ...current, selected: new Set() }),
    activate: (index) => setState({ ...current, active: index, anchor: index }),
  };
}

function idsBetween(entries: readonly Entry[], from: number, to: number): ReadonlySet<string> {
  const range = entries.slice(Math.max(0, Math.min(from, to)), Math.max(from, to) + 1);
  return new Set(range.map(({ id }) => id));
}
