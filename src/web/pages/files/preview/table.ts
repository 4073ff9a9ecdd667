import Papa from 'papaparse';

const MAX_ROWS = 1_000;
const MAX_COLUMNS = 200;
/** Maximum number of cells: each becomes an element of the page. */
const MAX_CELLS = 60_000;
const MAX_CELL_LENGTH = 1_000;

/** Bounds that a table exceeds; the header row counts as a row. */
export type TableBounds = Partial<Record<'rows' | 'columns' | 'characters', number>>;

/** The cells of a table that are shown. */
export interface Table {
  rows: string[][];
  bounds: TableBounds;
}

/** Returns the table in a text of separated values. */
export function parseTable(text: string): Table {
  const { data } = Papa.parse<string[]>(text, { skipEmptyLines: true });
  const width = data.reduce((most, row) => Math.max(most, row.length), 1);
  const maxRows = Math.min(MAX_ROWS, Math.floor(MAX_CELLS / Math.min(width, MAX_COLUMNS)));
  const cells = data.slice(0, maxRows).map((row) => row.slice(0, MAX_COLUMNS));
  return {
    rows: cells.map((row) => row.map(cutCell)),
    bounds: {
      ...(data.length > maxRows && { rows: maxRows }),
      ...(width > MAX_COLUMNS && { columns: MAX_COLUMNS }),
      ...(cells.some((row) => row.some(isLong)) && { characters: MAX_CELL_LENGTH }),
    },
  };
}

const isLong = (cell: string) => cell.length > MAX_CELL_LENGTH;
const cutCell = (cell: string) => (isLong(cell) ? `${cell.slice(0, MAX_CELL_LENGTH)}…` : cell);
