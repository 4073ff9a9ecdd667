import { Button } from '@mantine/core';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';

interface RestoreButtonProps {
  label: string;
  /** Name for assistive technology, where the label is not enough: in rows, which show the icon only on phones. */
  ariaLabel?: string;
  restore(): Promise<unknown>;
}

/** Restores, and is busy meanwhile. */
export function RestoreButton({ label, ariaLabel, restore }: RestoreButtonProps) {
  const [busy, setBusy] = useState(false);
  async function run() {
    setBusy(true);
    await restore();
    setBusy(false);
  }
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Undo2 size={15} />}
      loading={busy}
      onClick={() => void run()}
      aria-label={ariaLabel}
      className={ariaLabel && 'icon-on-phone'}
    >
      {label}
    </Button>
  );
}
