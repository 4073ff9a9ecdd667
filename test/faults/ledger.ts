/** Expected state of one file. */
interface Entry {
  /** Hashes of its possible contents: several while a change is running, or after one without a response. */
  may: Set<string>;
  /** Whether the server acknowledged that it exists, or that it is deleted; null = either. */
  isThere: boolean | null;
}

/** Expected state of all files, by name. */
export interface Ledger {
  /** Records, before the request, that the file may have the content `hash`. */
  begin(name: string, hash: string): void;
  /** Records that the content `hash` was acknowledged. */
  holds(name: string, hash: string): void;
  /** Records the request of a deletion. */
  beginRemoval(name: string): void;
  removed(name: string): void;
  /** Null = no file of this name was ever sent. */
  mayHold(name: string): ReadonlySet<string> | null;
  /** Compares the files of the server (hash by name); returns the differences. */
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
        if (hash === undefined && isThere === true) wrong.push(`${name} was acknowledged and is missing`);
        if (hash !== undefined && isThere === false) wrong.push(`${name} was deleted and still exists`);
        if (hash !== undefined && isThere !== false && !may.has(hash))
          wrong.push(`${name} has other bytes than were sent`);
      }
      for (const name of shown.keys()) if (!entries.has(name)) wrong.push(`${name} was never sent`);
      return wrong;
    },
  };
}
