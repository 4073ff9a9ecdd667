import { Button, type ButtonProps } from '@mantine/core';
import { type ComponentProps, type ReactNode, useState } from 'react';

interface BusyButtonProps extends ButtonProps, Pick<ComponentProps<'button'>, 'title' | 'aria-label'> {
  children: ReactNode;
  /** Reports its own errors. */
  run(): Promise<unknown>;
}

/** A button that starts an action, and shows that it runs. */
export function BusyButton({ run, ...props }: BusyButtonProps) {
  const [busy, setBusy] = useState(false);
  async function start() {
    setBusy(true);
    await run();
    setBusy(false);
  }
  return <Button loading={busy} onClick={() => void start()} {...props} />;
}
