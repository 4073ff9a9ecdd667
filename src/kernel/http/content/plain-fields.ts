/** Header fields by names in lower case. */
export type PlainHeaders = Readonly<Record<Lowercase<string>, string>>;

/** `Object.entries` with the type of the names. */
export const entriesOf = (fields: PlainHeaders) => Object.entries(fields) as [Lowercase<string>, string][];

/** The operations on header fields that complete and send a response. `Headers` has them too. */
export interface Fields {
  get(name: Lowercase<string>): string | null;
  has(name: Lowercase<string>): boolean;
  set(name: Lowercase<string>, value: string): void;
  toJSON(): Record<string, string | string[]>;
}

/**
 * Header fields in a plain object. Copying a `Headers` object, changing it and converting it for `node:http` takes a
 * microsecond longer.
 */
export class PlainFields implements Fields {
  readonly #values: Record<Lowercase<string>, string>;

  constructor(values: PlainHeaders) {
    this.#values = { ...values };
  }

  get(name: Lowercase<string>): string | null {
    return this.#values[name] ?? null;
  }

  has(name: Lowercase<string>): boolean {
    return this.#values[name] !== undefined;
  }

  set(name: Lowercase<string>, value: string): void {
    this.#values[name] = value;
  }

  toJSON(): Record<string, string> {
    return this.#values;
  }
}
