import { describe, expect, test } from 'bun:test';
import { parseTable } from './table.ts';

const table = (rows: number, columns: number, cell = 'x') =>
  Array.from({ length: rows }, () => Array(columns).fill(cell).join(';')).join('\n');

describe('a table of separated values', () => {
  test('is complete within the bounds', () => {
    expect(parseTable('a,b\n\n1,"2\n3"\n')).toEqual({
      rows: [
        ['a', 'b'],
        ['1', '2\n3'],
      ],
      bounds: {},
    });
    expect(parseTable('')).toEqual({ rows: [], bounds: {} });
    expect(parseTable(table(1_000, 40)).bounds).toEqual({});
  });

  test('reports the bounds that it exceeds', () => {
    expect(parseTable(table(1_001, 2)).bounds).toEqual({ rows: 1_000 });
    expect(parseTable(table(2, 201)).bounds).toEqual({ columns: 200 });
    expect(parseTable(table(400, 300)).bounds).toEqual({ rows: 300, columns: 200 });
    const { rows, bounds } = parseTable(table(2, 2, 'x'.repeat(1_001)));
    expect(bounds).toEqual({ characters: 1_000 });
    expect(rows[1]?.[1]).toBe(`${'x'.repeat(1_000)}…`);
  });

  test('ignores empty lines', () => {
    const { rows, bounds } = parseTable(`a,b\n${'\n'.repeat(2_000)}1,2`);
    expect(rows).toHaveLength(2);
    expect(bounds).toEqual({});
  });
});
