import { formatList, formatNumber } from '../../../formats.ts';
import { ScrollRegion } from './ScrollRegion.tsx';
import type { Table, TableBounds } from './table.ts';
import { texts } from './texts.ts';

/** A table, and what is shown of it. */
export function TextTable({ table: { rows, bounds } }: { table: Table }) {
  const [head = [], ...body] = rows;
  const exceeded = describe(bounds);
  return (
    <>
      <ScrollRegion className="text-table">
        <table>
          <thead>
            <tr>
              {head.map((cell, column) => (
                <th key={column}>{cell}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {body.map((row, index) => (
              <tr key={index}>
                {row.map((cell, column) => (
                  <td key={column}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {exceeded.length > 0 && <p className="files-note">{texts.bounded(formatList(exceeded))}</p>}
    </>
  );
}

const describe = ({ rows, columns, characters }: TableBounds) => [
  ...(rows ? [texts.rows(formatNumber(rows))] : []),
  ...(columns ? [texts.columns(formatNumber(columns))] : []),
  ...(characters ? [texts.charactersOfCell(formatNumber(characters))] : []),
];
