import { describeBounds } from './describe-bounds.ts';
import { ScrollRegion } from './ScrollRegion.tsx';
import type { Table } from './table.ts';

/** A table, with a note if only a part of it is shown. */
export function TextTable({ table: { rows, bounds } }: { table: Table }) {
  const [head = [], ...body] = rows;
  const note = describeBounds(bounds);
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
      {note && <p className="files-note">{note}</p>}
    </>
  );
}
