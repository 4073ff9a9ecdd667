import { Button, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';

interface DialogButtonProps extends ButtonProps {
  label: string;
  icon: ReactNode;
  /** URL fragment that opens the dialog when the page loads. */
  fragment?: string;
  dialog(close: () => void): ReactNode;
}

export function DialogButton({
  label,
  icon,
  fragment,
  dialog,
  variant = 'default',
  ...props
}: DialogButtonProps) {
  const isWanted = fragment !== undefined && location.hash === fragment;
  const [opened, { open, close }] = useDisclosure(isWanted);
  // A reload shows the page alone.
  useEffect(() => {
    if (isWanted) history.replaceState(history.state, '', location.pathname + location.search);
  }, [isWanted]);
  return (
    <>
      <Button leftSection={icon} variant={variant} onClick={open} {...props}>
        {label}
      </Button>
      {opened && dialog(close)}
    </>
  );
}
