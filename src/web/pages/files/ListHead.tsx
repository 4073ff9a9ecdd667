import { ArrowDown, ArrowUp } from 'lucide-react';
import type { SortBy } from '../../api/storage.ts';
import { fileTexts as texts } from '../../texts/files.ts';
import type { Entry } from './entries.ts';
import type { Selection } from './selection.ts';
import type { useView } from './view.ts';

/** The heads of the list's columns, which sort it, and the box that chooses everything. */
export function ListHead({
  view: { view, sortBy },
  selection,
  entries,
}: {
  view: ReturnType<typeof useView>;
  selection: Selection;
  entries: readonly Entry[];
}) {
  const all = entries.length > 0 && selection.chosen.size === entries.length;
  const head = (sort: SortBy, className: string) => (
    <span
      role="columnheader"
      className={className}
      aria-sort={view.sort === sort ? (view.order === 'asc' ? 'ascending' : 'descending') : 'none'}
    >
      <button type="button" className="head-button" onClick={() => sortBy(sort)}>
        {texts.columns[sort]}
        {view.sort === sort && (view.order === 'asc' ? <ArrowUp size={14} aria-hidden /> : <ArrowDown size={14} aria-hidden />)}
      </button>
    </span>
  );
  return (
    <div role="rowgroup" className="listing-head">
      <div role="row" aria-rowindex={1} className="line">
        <span role="columnheader" className="cell-check">
          <input
            type="checkbox"
            aria-label={texts.selectAll}
            checked={all}
            ref={(box) => {
              if (box) box.indeterminate = !all && selection.chosen.size > 0;
            }}
            onChange={() => (all ? selection.clear() : selection.chooseAll())}
          />
        </span>
        {head('name', 'cell-name')}
        {head('size', 'cell-size')}
        {head('date', 'cell-date')}
        <span role="columnheader" className="cell-menu" aria-label={texts.actionsFor('')} />
      </div>
    </div>
  );
}
