import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';

/** An option of a segmented control that shows an icon only. */
export const IconLabel = ({ label, icon }: { label: string; icon: ReactNode }) => (
  <span className="icon-label" title={label}>
    {icon}
    <VisuallyHidden>{label}</VisuallyHidden>
  </span>
);
