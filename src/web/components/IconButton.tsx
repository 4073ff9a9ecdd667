import { ActionIcon, type ActionIconProps } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';

interface IconButtonProps
  extends ActionIconProps,
    Pick<ComponentProps<'button'>, 'onClick' | 'aria-disabled' | 'aria-expanded' | 'tabIndex'> {
  /** Accessible name and tooltip. */
  label: string;
  icon: ReactNode;
}

/** A button that shows an icon only. */
export const IconButton = ({ label, icon, ...props }: IconButtonProps) => (
  <ActionIcon aria-label={label} title={label} {...props}>
    {icon}
  </ActionIcon>
);
