/** Handling of an item whose name is taken. */
export type Choice = 'replace' | 'rename' | 'skip';

/** An item, and the folder in which another has its name. */
export interface Conflict {
  kind: 'file' | 'folder';
  name: string;
  /** Null = unknown. */
  folderId: string | null;
  /** Size of the item; null = unknown. */
  sizeBytes: number | null;
  /** What becomes of the other file if it is replaced: its content becomes a version, or it goes to the trash. */
  replaced: 'version' | 'trash';
}

/** Asks the person about one item of an action. */
export type Ask = (conflict: Conflict) => Promise<Choice>;

/** A conflict that the person is asked about. */
export interface Question {
  conflict: Conflict;
  /** Whether the action has other items, to which the answer can apply too. */
  hasOthers: boolean;
}

/** The questions about taken names, which are shown one after the other. */
export interface Questions {
  /**
   * Returns a function that asks about the items of one action. An answer for all applies to the following items of
   * the same kind. @param count number of the items
   */
  forAction(count: number): Ask;
  /** Null = none. */
  current(): Question | null;
  answer(choice: Choice, forAll: boolean): void;
  subscribe(listener: () => void): () => void;
}

interface Pending extends Question {
  /** Answers for all items of the action. */
  decided: Map<Conflict['kind'], Choice>;
  resolve(choice: Choice): void;
}

export function createQuestions(): Questions {
  let pending: readonly Pending[] = [];
  const listeners = new Set<() => void>();

  function set(next: readonly Pending[]) {
    pending = next;
    for (const listener of listeners) listener();
  }

  return {
    forAction(count) {
      const decided: Pending['decided'] = new Map();
      return (conflict) => {
        const choice = decided.get(conflict.kind);
        if (choice) return Promise.resolve(choice);
        return new Promise((resolve) => {
          set([...pending, { conflict, hasOthers: count > 1, decided, resolve }]);
        });
      };
    },
    current: () => pending[0] ?? null,
    answer(choice, forAll) {
      const [asked] = pending;
      if (!asked) return;
      const { kind } = asked.conflict;
      if (forAll) asked.decided.set(kind, choice);
      const isAnswered = (one: Pending) =>
        one === asked || (forAll && one.decided === asked.decided && one.conflict.kind === kind);
      const answered = pending.filter(isAnswered);
      set(pending.filter((one) => !isAnswered(one)));
      for (const { resolve } of answered) resolve(choice);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
