import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';

interface RowsProps {
  label: string;
  /** With a border, for lists outside of a panel. */
  boxed?: boolean;
  children: ReactNode;
}

/** A list of rows. */
export function Rows({ label, boxed = false, children }: RowsProps) {
  return (
    <ul className={boxed ? 'rows boxed-rows' : 'rows'} aria-label={label}>
      {children}
    </ul>
  );
}

interface RowProps {
  icon?: ReactNode;
  title: ReactNode;
  /** Second line, below the title. */
  description?: ReactNode;
  /** Badges beside the title. */
  badges?: ReactNode;
  actions?: ReactNode;
  /** Content below the row. */
  children?: ReactNode;
  /** Shown with a badge and in faint colors. */
  disabled?: boolean;
  faint?: boolean;
}

export function Row({ icon, title, description, badges, actions, children, disabled, faint }: RowProps) {
  return (
    <li className="row" data-faint={disabled || faint || undefined}>
      <div className="row-line">
        {icon && <span className="row-icon">{icon}</span>}
        <div className="row-text">
          <div className="row-title">
            <span>{title}</span>
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

export const DisabledBadge = () => <Badge color="red">Disabled</Badge>;
