import {
  Copy,
  Download,
  Eye,
  FolderDown,
  FolderInput,
  FolderOpen,
  History,
  Pencil,
  RefreshCw,
  Share2,
  Trash2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { texts as common } from '../../../texts.ts';
import type { Entry } from '../entries.ts';
import { texts } from '../texts.ts';

export type EntryAction =
  | 'open'
  | 'details'
  | 'share'
  | 'download'
  | 'rename'
  | 'move'
  | 'copy'
  | 'replace'
  | 'versions'
  | 'delete';
export type RunEntryAction = (action: EntryAction, entries: readonly Entry[]) => void;

interface AvailableAction {
  action: EntryAction;
  label: string;
  icon: ReactNode;
  shortcut: string;
}

interface ListedAction extends AvailableAction {
  /** The kinds of entries that it applies to. */
  for: readonly EntriesKind[];
  /** Whether it changes the workspace. */
  writes?: boolean;
  /** Label for people who may not change the workspace, if it differs. */
  readLabel?: string;
}

type EntriesKind = 'file' | 'folder' | 'files' | 'mixed';
const ALL: readonly EntriesKind[] = ['file', 'folder', 'files', 'mixed'];
/** Label of the action `details`. */
export const detailsLabel = (canWrite: boolean) => (canWrite ? common.shareAndDetails : common.details);

/** Every action in the order of the menu. */
const ACTIONS: readonly ListedAction[] = [
  { action: 'open', for: ['file'], label: common.preview, icon: <Eye size={16} />, shortcut: '↵' },
  { action: 'open', for: ['folder'], label: common.open, icon: <FolderOpen size={16} />, shortcut: '↵' },
  {
    action: 'details',
    for: ['file'],
    label: common.shareAndDetails,
    readLabel: common.details,
    icon: <Share2 size={16} />,
    shortcut: 'S',
  },
  {
    action: 'share',
    for: ['folder', 'files'],
    label: common.share,
    icon: <Share2 size={16} />,
    shortcut: 'S',
    writes: true,
  },
  {
    action: 'download',
    for: ['file', 'files'],
    label: common.download,
    icon: <Download size={16} />,
    shortcut: 'D',
  },
  {
    action: 'download',
    for: ['folder'],
    label: texts.downloadZip,
    icon: <FolderDown size={16} />,
    shortcut: 'D',
  },
  {
    action: 'rename',
    for: ['file', 'folder'],
    label: common.rename,
    icon: <Pencil size={16} />,
    shortcut: 'F2',
    writes: true,
  },
  {
    action: 'move',
    for: ALL,
    label: common.move,
    icon: <FolderInput size={16} />,
    shortcut: 'M',
    writes: true,
  },
  {
    action: 'copy',
    for: ALL,
    label: common.copy,
    readLabel: texts.copyElsewhere,
    icon: <Copy size={16} />,
    shortcut: 'C',
  },
  {
    action: 'replace',
    for: ['file'],
    label: common.replaceContent,
    icon: <RefreshCw size={16} />,
    shortcut: 'R',
    writes: true,
  },
  { action: 'versions', for: ['file'], label: common.versions, icon: <History size={16} />, shortcut: 'V' },
  {
    action: 'delete',
    for: ALL,
    label: common.delete,
    icon: <Trash2 size={16} />,
    shortcut: common.del,
    writes: true,
  },
];

/** The actions that apply to these entries together, without those that the person may not run. */
export function actionsFor(entries: readonly Entry[], canWrite: boolean): AvailableAction[] {
  const kind = kindOf(entries);
  return ACTIONS.filter((action) => action.for.includes(kind) && (canWrite || !action.writes)).map(
    ({ label, readLabel, ...action }) => ({ ...action, label: canWrite ? label : (readLabel ?? label) }),
  );
}

/** Reports whether an action changes the workspace. */
export const writes = (action: EntryAction) => ACTIONS.some((one) => one.action === action && one.writes);

function kindOf(entries: readonly Entry[]): EntriesKind {
  const [first, ...others] = entries;
  if (first && others.length === 0) return first.kind;
  return entries.every(({ kind }) => kind === 'file') ? 'files' : 'mixed';
}

/** Shortcuts of the page; the listing itself handles Enter. */
export const SHORTCUTS: readonly (readonly [key: string, action: EntryAction])[] = [
  ['F2', 'rename'],
  ['Delete', 'delete'],
  ['m', 'move'],
  ['c', 'copy'],
  ['d', 'download'],
  ['s', 'details'],
  ['s', 'share'],
  ['r', 'replace'],
  ['v', 'versions'],
];
