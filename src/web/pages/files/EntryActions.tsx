import { Button, Menu } from '@mantine/core';
import { Download, Eye, FolderDown, FolderInput, FolderOpen, Pencil, RefreshCw, Share2, Trash2, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { fileTexts as texts } from '../../texts/files.ts';
import type { Entry } from './entries.ts';

/** What one can ask for; the page does it. */
export type EntryAction = 'open' | 'details' | 'download' | 'rename' | 'move' | 'replace' | 'delete';

interface Offer {
  action: EntryAction;
  label: string;
  icon: ReactNode;
  key?: string;
}

/** What can be done with these lines together. */
export function offers(entries: readonly Entry[]): Offer[] {
  const [only] = entries;
  const single = entries.length === 1 && only !== undefined;
  const isFile = single && only.kind === 'file';
  const actions = texts.actions;
  const all: (Offer | false)[] = [
    single && {
      action: 'open',
      label: isFile ? actions.preview : actions.open,
      icon: isFile ? <Eye size={16} /> : <FolderOpen size={16} />,
      key: '↵',
    },
    isFile && { action: 'details', label: actions.details, icon: <Share2 size={16} />, key: 'S' },
    entries.every(({ kind }) => kind === 'file') && { action: 'download', label: actions.download, icon: <Download size={16} />, key: 'D' },
    single && !isFile && { action: 'download', label: actions.zip, icon: <FolderDown size={16} />, key: 'D' },
    single && { action: 'rename', label: actions.rename, icon: <Pencil size={16} />, key: 'F2' },
    { action: 'move', label: actions.move, icon: <FolderInput size={16} />, key: 'M' },
    isFile && { action: 'replace', label: actions.replace, icon: <RefreshCw size={16} />, key: 'R' },
    { action: 'delete', label: actions.delete, icon: <Trash2 size={16} />, key: 'Del' },
  ];
  return all.filter((offer) => offer !== false);
}

/** The key that asks for an action. */
export const ACTION_KEYS: Record<string, EntryAction> = {
  F2: 'rename',
  Delete: 'delete',
  m: 'move',
  d: 'download',
  s: 'details',
  r: 'replace',
};

const OUTSIDE = ['mousedown', 'touchstart'];

interface EntryMenuProps {
  /** Null = closed. */
  at: { entry: Entry; x: number; y: number } | null;
  act(action: EntryAction, entries: readonly Entry[]): void;
  close(): void;
}

/** One menu for all lines, shown where it was asked for. */
export function EntryMenu({ at, act, close }: EntryMenuProps) {
  return (
    <Menu
      opened={at !== null}
      onChange={(opened) => !opened && close()}
      // By default a key outside closes it as well: the very key that opens it.
      clickOutsideEvents={OUTSIDE}
      position="bottom-start"
      shadow="md"
      width={230}
      withinPortal
    >
      <Menu.Target>
        <button type="button" aria-hidden tabIndex={-1} className="menu-place" style={{ left: at?.x ?? 0, top: at?.y ?? 0 }} />
      </Menu.Target>
      <Menu.Dropdown>
        {at &&
          offers([at.entry]).map(({ action, label, icon, key }) => (
            <Menu.Item
              key={action}
              leftSection={icon}
              rightSection={key && <kbd className="key">{key}</kbd>}
              color={action === 'delete' ? 'var(--bad)' : undefined}
              onClick={() => act(action, [at.entry])}
            >
              {label}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** What can be done with everything that is chosen. */
export function SelectionBar({
  entries,
  act,
  clear,
}: {
  entries: readonly Entry[];
  act(action: EntryAction, entries: readonly Entry[]): void;
  clear(): void;
}) {
  return (
    <div className="selection-bar" role="toolbar" aria-label={texts.selected(entries.length)}>
      <Button variant="subtle" color="gray" size="compact-sm" onClick={clear} leftSection={<X size={16} />} title={texts.clearSelection}>
        {texts.selected(entries.length)}
      </Button>
      {offers(entries)
        .filter(({ action }) => action !== 'replace')
        .map(({ action, label, icon }) => (
          <Button
            key={action}
            size="compact-sm"
            variant="subtle"
            color={action === 'delete' ? 'red' : undefined}
            leftSection={icon}
            title={label}
            onClick={() => act(action, entries)}
            className="selection-action"
          >
            {label}
          </Button>
        ))}
    </div>
  );
}
