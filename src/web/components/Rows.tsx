import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { Name } from './Name.tsx';
import { QueryContent, type QueryContentProps } from './QueryContent.tsx';
import { texts } from './texts.ts';
import { useShown } from './useShown.ts';

interface RowsProps {
  label: string;
  /** Whether the list has a border, for lists outside a panel. */
  boxed?: boolean;
  children: ReactNode;
}

export function Rows({ label, boxed = false, children }: RowsProps) {
  return (
    <ul className={boxed ? 'rows boxed-rows' : 'rows'} aria-label={label}>
      {children}
    </ul>
  );
}

interface QueryRowsProps<Item> extends Omit<RowsProps, 'children'> {
  query: QueryContentProps<Item[]>['query'];
  /** Renders an item with its key. */
  row(item: Item): ReactNode;
  /** Shown instead of an empty list. */
  empty?: ReactNode;
}

export const QueryRows = <Item,>({ query, row, empty, ...rows }: QueryRowsProps<Item>) => (
  <QueryContent query={query}>
    {(items) => (items.length === 0 && empty ? empty : <Rows {...rows}>{items.map(row)}</Rows>)}
  </QueryContent>
);

interface RowProps {
  /** ID of the item, for addresses that point to it (`useShown`). */
  id?: string;
  checkbox?: ReactNode;
  icon?: ReactNode;
  title: ReactNode;
  /** Second line, below the title. */
  description?: ReactNode;
  /** Badges next to the title. */
  badges?: ReactNode;
  actions?: ReactNode;
  /** Content below the row. */
  children?: ReactNode;
  /** Shown with a badge and in faint colors. */
  disabled?: boolean;
  faint?: boolean;
}

export function Row({
  id,
  checkbox,
  icon,
  title,
  description,
  badges,
  actions,
  children,
  disabled,
  faint,
}: RowProps) {
  return (
    <li className="row" {...useShown(id)} data-faint={disabled || faint || undefined}>
      <div className="row-line">
        {checkbox}
        {icon && <span className="row-icon">{icon}</span>}
        <div className="row-text">
          <div className="row-title">
            <span>{typeof title === 'string' ? <Name name={title} /> : title}</span>
            {badges}
            {disabled && <DisabledBadge />}
          </div>
          {description && <div className="row-description">{description}</div>}
        </div>
        {actions && <div className="row-actions">{actions}</div>}
      </div>
      {children}
    </li>
  );
}

export const DisabledBadge = () => <Badge color="red">{texts.disabled}</Badge>;
