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
  active: Position | null;
  /** Start of a range. */
  anchor: Position | null;
}

/** An entry, and where it was: changes by other people may move it. */
interface Position {
  id: string;
  index: number;
}

export function useSelection(entries: readonly Entry[], folderId: string): Selection {
  const empty: State = { folderId, selected: new Set(), active: null, anchor: null };
  const [state, setState] = useState(empty);
  // The selection of another folder does not apply.
  const current = state.folderId === folderId ? state : empty;

  return {
    selected: current.selected,
    active: indexOf(entries, current.active),
    select(index, { toggle = false, range = false } = {}) {
      const id = entries[index]?.id;
      if (id === undefined) return;
      const active = { id, index };
      if (range) {
        const anchor = current.anchor ?? active;
        const selected = idsBetween(entries, indexOf(entries, anchor), index);
        setState({ ...current, selected, active, anchor });
      } else {
        const selected = toggle ? current.selected.symmetricDifference(new Set([id])) : new Set([id]);
        setState({ ...current, selected, active, anchor: active });
      }
    },
    selectAll: () => setState({ ...current, selected: new Set(entries.map(({ id }) => id)) }),
    clear: () => setState({ ...current, selected: new Set() }),
    activate(index) {
      const id = entries[index]?.id;
      const active = id === undefined ? null : { id, index };
      setState({ ...current, active, anchor: active });
    },
  };
}

/** Returns the index of an entry, or of the one that took the place of a deleted entry; -1 = none. */
function indexOf(entries: readonly Entry[], position: Position | null): number {
  if (!position) return -1;
  const { id, index } = position;
  if (entries[index]?.id === id) return index;
  const found = entries.findIndex((entry) => entry.id === id);
  return found < 0 ? Math.min(index, entries.length - 1) : found;
}

function idsBetween(entries: readonly Entry[], from: number, to: number): ReadonlySet<string> {
  const range = entries.slice(Math.max(0, Math.min(from, to)), Math.max(from, to) + 1);
  return new Set(range.map(({ id }) => id));
}
