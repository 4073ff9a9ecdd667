import { ActionIcon, Button, Menu } from '@mantine/core';
import { EllipsisVertical } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { texts as common } from '../texts.ts';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { NameDialog } from './NameDialog.tsx';
import { texts } from './texts.ts';

/** Something a person can do with a resource: immediately (`run`), or in a dialog. */
export interface Action {
  label: string;
  /** Distinguishes this button from those of other rows. */
  ariaLabel?: string;
  icon?: ReactNode;
  danger?: boolean;
  run?(): void;
  dialog?(close: () => void): ReactNode;
}

interface ActionsProps {
  name: string;
  /** Actions with a separate button. */
  buttons?: readonly (Action | false)[];
  /** The other actions, in a menu. */
  menu?: readonly (Action | false)[];
}

/** The actions of a resource, and the dialog of the one that is open. */
export function Actions({ name, buttons = [], menu = [] }: ActionsProps) {
  const [open, setOpen] = useState<string | null>(null);
  const start = ({ label, run, dialog }: Action) => (dialog ? setOpen(label) : run?.());
  const shown = {
    buttons: buttons.filter((action) => action !== false),
    menu: menu.filter((action) => action !== false),
  };
  return (
    <>
      {shown.buttons.map((action) => (
        <Button
          key={action.label}
          size="xs"
          variant={action.danger ? 'subtle' : 'default'}
          color={action.danger ? 'red' : undefined}
          leftSection={action.icon}
          aria-label={action.ariaLabel}
          onClick={() => start(action)}
        >
          {action.label}
        </Button>
      ))}
      {shown.menu.length > 0 && (
        <Menu>
          <Menu.Target>
            <ActionIcon className="actions-menu" aria-label={texts.actionsFor(name)}>
              <EllipsisVertical size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {shown.menu.map((action) => (
              <Menu.Item
                key={action.label}
                color={action.danger ? 'var(--bad)' : undefined}
                onClick={() => start(action)}
              >
                {action.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {[...shown.buttons, ...shown.menu].find(({ label }) => label === open)?.dialog?.(() => setOpen(null))}
    </>
  );
}

interface ConfirmedAction {
  label: string;
  ariaLabel?: string;
  title: string;
  text: string;
  /** Reports its own errors, and then rejects. */
  confirm(): Promise<unknown>;
}

/** An action that runs after a confirmation. */
export function confirmedAction({ label, ariaLabel, ...dialog }: ConfirmedAction): Action {
  return {
    label,
    ariaLabel,
    danger: true,
    dialog: (close) => <ConfirmDialog confirmLabel={label} close={close} {...dialog} />,
  };
}

export const deleteAction = (action: Omit<ConfirmedAction, 'label'>) =>
  confirmedAction({ label: common.delete, ...action });

export const renameAction = (name: string, rename: (name: string) => Promise<unknown>): Action => ({
  label: common.rename,
  dialog: (close) => (
    <NameDialog
      title={common.rename}
      label={common.newName}
      initial={name}
      submitLabel={common.rename}
      submit={rename}
      close={close}
    />
  ),
});

export const enableAction = (enabled: boolean, set: (enabled: boolean) => void): Action => ({
  label: enabled ? common.disable : texts.enable,
  run: () => set(!enabled),
});
