import type { Row } from '../kernel/database/snapshot.ts';
import { isPlainObject } from '../kernel/plain-object.ts';

/** Serializes a row as one line without line end; bytes become `{"base64": "…"}`. */
export function rowToLine(row: Row): string {
  // Not with a replacer: JSON.stringify converts a Buffer to an array of numbers before it calls one.
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        value instanceof Uint8Array ? { base64: value.toBase64() } : value,
      ]),
    ),
  );
}

/** Parses a line of `rowToLine`. @throws Error when the line is not a row */
export function lineToRow(line: string): Row {
  const row: unknown = JSON.parse(line);
  if (!isPlainObject(row)) throw new Error('a line is not an object');
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const base64 = isPlainObject(value) ? value.base64 : undefined;
      return [name, typeof base64 === 'string' ? Buffer.from(base64, 'base64') : value];
    }),
  );
}
