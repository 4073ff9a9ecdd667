import type { ReactNode } from 'react';

/** A list of things, each a row. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className="rows" aria-label={label}>
      {children}
    </ul>
  );
}

interface RowProps {
  icon?: ReactNode;
  title: ReactNode;
  /** Small facts below the title. */
  about?: ReactNode;
  /** Badges and the like beside the title. */
  signs?: ReactNode;
  actions?: ReactNode;
  /** More below the whole row. */
  children?: ReactNode;
  faded?: boolean;
}

export function Row({ icon, title, about, signs, actions, children, faded }: RowProps) {
  return (
    <li className="row" data-faded={faded || undefined}>
      <div className="row-line">
        {icon && <span className="row-icon">{icon}</span>}
        <div className="row-text">
          <div className="row-title">
            <span>{title}</span>
            {signs}
          </div>
          {about && <div className="row-about">{about}</div>}
        </div>
        {actions && <div className="row-actions">{actions}</div>}
      </div>
      {children}
    </li>
  );
}
