import { ActionIcon, Menu } from '@mantine/core';
import { EllipsisVertical } from 'lucide-react';

interface RowMenuItem {
  label: string;
  act(): void;
  isDangerous?: boolean;
}

/** The things that are seldom done with a row, behind one button. */
export function RowMenu({ label, items }: { label: string; items: readonly (RowMenuItem | false)[] }) {
  return (
    <Menu position="bottom-end" shadow="md" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label}>
          <EllipsisVertical size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {items
          .filter((item) => item !== false)
          .map(({ label: text, act, isDangerous }) => (
            <Menu.Item key={text} color={isDangerous ? 'var(--bad)' : undefined} onClick={act}>
              {text}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}
