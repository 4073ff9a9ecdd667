import { formatList, formatNumber } from '../../../formats.ts';
import type { TableBounds } from './table.ts';
import { texts } from './texts.ts';

/** Describes the part of a table that is shown; null = the whole table. */
export function describeBounds({ rows, columns, characters }: TableBounds): string | null {
  const exceeded = [
    ...(rows ? [texts.rows(formatNumber(rows))] : []),
    ...(columns ? [texts.columns(formatNumber(columns))] : []),
    ...(characters ? [texts.charactersOfCell(formatNumber(characters))] : []),
  ];
  return exceeded.length > 0 ? texts.bounded(formatList(exceeded)) : null;
}
