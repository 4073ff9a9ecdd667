import { ArrowDown, ArrowUp } from 'lucide-react';
import { COLUMNS, type SortBy } from '../../../api/storage.ts';
import { texts as common } from '../../../texts.ts';
import { useFilesPage } from '../FilesContext.ts';
import type { useView } from '../useView.ts';

interface ListHeaderProps {
  view: ReturnType<typeof useView>;
  count: number;
}

/** The column headers, which sort the list, and the checkbox that selects everything. */
export function ListHeader({ view, count }: ListHeaderProps) {
  const { selection, isShared } = useFilesPage();
  const { size } = selection.selected;
  const isAll = count > 0 && size === count;
  return (
    <thead className="listing-header">
      <tr aria-rowindex={1} className="entry-row">
        <th className="cell-check">
          <input
            type="checkbox"
            className="select-box"
            aria-label={common.selectAll}
            checked={isAll}
            ref={(box) => {
              if (box) box.indeterminate = !isAll && size > 0;
            }}
            onChange={isAll ? selection.clear : selection.selectAll}
          />
        </th>
        <SortHeader sort="name" view={view} className="cell-name" />
        {isShared && <th className="cell-author">{common.addedBy}</th>}
        <SortHeader sort="size" view={view} className="cell-size" />
        <SortHeader sort={view.view.sort === 'taken' ? 'taken' : 'date'} view={view} className="cell-date" />
        <th className="cell-menu" aria-label={common.actions} />
      </tr>
    </thead>
  );
}

interface SortHeaderProps extends Pick<ListHeaderProps, 'view'> {
  sort: SortBy;
  className: string;
}

function SortHeader({ sort, view: { view, sortBy }, className }: SortHeaderProps) {
  const order = view.sort === sort ? view.order : null;
  const Arrow = order === 'asc' ? ArrowUp : ArrowDown;
  return (
    <th
      className={className}
      aria-sort={order === null ? 'none' : order === 'asc' ? 'ascending' : 'descending'}
    >
      <button type="button" className="sort-button" onClick={() => sortBy(sort)}>
        {COLUMNS[sort]}
        {order && <Arrow size={14} aria-hidden />}
      </button>
    </th>
  );
}
