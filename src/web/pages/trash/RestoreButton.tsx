import { Undo2 } from 'lucide-react';
import { BusyButton } from '../../components/BusyButton.tsx';

interface RestoreButtonProps {
  label: string;
  /** Name for assistive technology, where the label is not enough: in rows, which show the icon only on phones. */
  ariaLabel?: string;
  restore(): Promise<unknown>;
}

/** Restores, and is busy meanwhile. */
export const RestoreButton = ({ label, ariaLabel, restore }: RestoreButtonProps) => (
  <BusyButton
    size="xs"
    variant="default"
    leftSection={<Undo2 size={15} />}
    run={restore}
    aria-label={ariaLabel}
    className={ariaLabel && 'icon-on-phone'}
  >
    {label}
  </BusyButton>
);
