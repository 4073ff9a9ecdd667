/** What is known of one file from outside. */
interface Entry {
  /** Hashes of all that it may hold now: more than one while a change is under way, or after one whose answer died. */
  may: Set<string>;
  /** The server acknowledged that it is there, or that it is gone; null = either. */
  isThere: boolean | null;
}

/** What the server may show after all that was asked of it, by the names of the files. */
export interface Ledger {
  /** Notes, before it is asked for, that the file may hold `hash` from now on. */
  begin(name: string, hash: string): void;
  /** The file was acknowledged to hold `hash`. */
  holds(name: string, hash: string): void;
  /** A deletion was asked for. */
  beginRemoval(name: string): void;
  removed(name: string): void;
  /** Null = nobody ever sent a file of that name. */
  mayHold(name: string): ReadonlySet<string> | null;
  /** Says what is wrong with all that the server shows, as hash by name; empty = nothing. */
  compare(shown: ReadonlyMap<string, string>): string[];
}

export function createLedger(): Ledger {
  const entries = new Map<string, Entry>();
  return {
    begin(name, hash) {
      const entry = entries.get(name) ?? { may: new Set(), isThere: null };
      entry.may.add(hash);
      entries.set(name, entry);
    },
    holds: (name, hash) => void entries.set(name, { may: new Set([hash]), isThere: true }),
    beginRemoval(name) {
      const entry = entries.get(name);
      if (entry) entry.isThere = null;
    },
    removed: (name) => void entries.set(name, { may: new Set(), isThere: false }),
    mayHold: (name) => entries.get(name)?.may ?? null,
    compare(shown) {
      const wrong: string[] = [];
      for (const [name, { may, isThere }] of entries) {
        const hash = shown.get(name);
        if (hash === undefined && isThere === true) wrong.push(`${name} was acknowledged and is not there`);
        if (hash !== undefined && isThere === false) wrong.push(`${name} was deleted and is there`);
        if (hash !== undefined && isThere !== false && !may.has(hash)) wrong.push(`${name} holds other bytes than were sent`);
      }
      for (const name of shown.keys()) if (!entries.has(name)) wrong.push(`${name} was never sent`);
      return wrong;
    },
  };
}
