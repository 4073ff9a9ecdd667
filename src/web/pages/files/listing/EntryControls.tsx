import { EllipsisVertical, Globe, KeyRound, LockKeyhole } from 'lucide-react';
import { Link } from 'wouter';
import { shownName } from '../../../../text/shown-name.ts';
import type { FileItem } from '../../../api/storage.ts';
import { CutName } from '../../../components/CutName.tsx';
import { IconButton } from '../../../components/IconButton.tsx';
import { type Entry, folderAddress } from '../entries.ts';
import { texts } from '../texts.ts';

// The whole grid is one tab stop, so these controls are not in the tab order.

interface EntryNameProps {
  entry: Entry;
  open(): void;
}

/** The name of an entry, as a link or button that opens it. */
export function EntryName({ entry, open }: EntryNameProps) {
  const name = shownName(entry.name);
  const props = { className: 'entry-name', title: name, tabIndex: -1, 'aria-label': name };
  if (entry.kind === 'folder')
    return (
      <Link href={folderAddress(entry.id)} draggable={false} {...props}>
        <CutName name={entry.name} />
      </Link>
    );
  return (
    <button type="button" onClick={open} {...props}>
      <CutName name={entry.name} />
    </button>
  );
}

interface EntryCheckboxProps {
  name: string;
  checked: boolean;
  toggle(): void;
}

export const EntryCheckbox = ({ name, checked, toggle }: EntryCheckboxProps) => (
  <input
    type="checkbox"
    className="select-box"
    tabIndex={-1}
    checked={checked}
    onChange={toggle}
    aria-label={texts.select(name)}
  />
);

interface EntryMenuButtonProps {
  name: string;
  tabIndex?: number;
  /** Shows the menu at a position in the window. */
  showAt(position: { x: number; y: number }): void;
}

export const EntryMenuButton = ({ name, tabIndex, showAt }: EntryMenuButtonProps) => (
  <IconButton
    label={texts.actionsFor(name)}
    icon={<EllipsisVertical size={18} aria-hidden />}
    size="md"
    tabIndex={tabIndex}
    onClick={({ currentTarget }) => {
      const { left, bottom } = currentTarget.getBoundingClientRect();
      showAt({ x: left, y: bottom });
    }}
  />
);

/** Icons for how a file is shared. */
export function SharingBadges({ file }: { file: FileItem }) {
  const badges = [
    file.visibility === 1 && ([Globe, texts.publicHint] as const),
    file.hasFilePassword && ([LockKeyhole, texts.passwordHint] as const),
    file.hasAccessKey && ([KeyRound, texts.keyHint] as const),
  ].filter((badge) => badge !== false);
  return (
    <span className="sharing-badges">
      {badges.map(([Icon, label]) => (
        <span key={label} role="img" aria-label={label} title={label}>
          <Icon size={15} aria-hidden />
        </span>
      ))}
    </span>
  );
}
