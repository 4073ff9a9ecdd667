import type { FocusEvent, ReactNode } from 'react';

/** The content area of a dialog. It has the focus at first, and passes it on to content that scrolls. */
export const PreviewBody = ({ children }: { children: ReactNode }) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: it only passes the focus on
  <div className="preview-body" tabIndex={-1} data-autofocus onFocus={focusRegion}>
    {children}
  </div>
);

function focusRegion({ target, currentTarget }: FocusEvent): void {
  if (target === currentTarget)
    currentTarget.querySelector<HTMLElement>('[data-scrolls]')?.focus({ preventScroll: true });
}
