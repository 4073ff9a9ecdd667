import { Button, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';

interface DialogButtonProps extends ButtonProps {
  label: string;
  icon: ReactNode;
  dialog(close: () => void): ReactNode;
}

/** A button that opens a dialog. */
export function DialogButton({ label, icon, dialog, variant = 'default', ...props }: DialogButtonProps) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button leftSection={icon} variant={variant} onClick={open} {...props}>
        {label}
      </Button>
      {opened && dialog(close)}
    </>
  );
}
