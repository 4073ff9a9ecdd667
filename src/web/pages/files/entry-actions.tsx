import {
  Download,
  Eye,
  FolderDown,
  FolderInput,
  FolderOpen,
  Pencil,
  RefreshCw,
  Share2,
  Trash2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { Entry } from './entries.ts';

export type EntryAction = 'open' | 'details' | 'download' | 'rename' | 'move' | 'replace' | 'delete';
export type RunEntryAction = (action: EntryAction, entries: readonly Entry[]) => void;

interface AvailableAction {
  action: EntryAction;
  label: string;
  icon: ReactNode;
  /** Keyboard shortcut. */
  shortcut: string;
}

type EntriesKind = 'file' | 'folder' | 'files' | 'mixed';
const ALL: readonly EntriesKind[] = ['file', 'folder', 'files', 'mixed'];

/** Every action in the order of the menu, with the kinds of entries that it applies to. */
const ACTIONS: readonly (AvailableAction & { for: readonly EntriesKind[] })[] = [
  { action: 'open', for: ['file'], label: 'Preview', icon: <Eye size={16} />, shortcut: '↵' },
  { action: 'open', for: ['folder'], label: 'Open', icon: <FolderOpen size={16} />, shortcut: '↵' },
  { action: 'details', for: ['file'], label: 'Share and details', icon: <Share2 size={16} />, shortcut: 'S' },
  {
    action: 'download',
    for: ['file', 'files'],
    label: 'Download',
    icon: <Download size={16} />,
    shortcut: 'D',
  },
  {
    action: 'download',
    for: ['folder'],
    label: 'Download as ZIP',
    icon: <FolderDown size={16} />,
    shortcut: 'D',
  },
  {
    action: 'rename',
    for: ['file', 'folder'],
    label: 'Rename',
    icon: <Pencil size={16} />,
    shortcut: 'F2',
  },
  { action: 'move', for: ALL, label: 'Move', icon: <FolderInput size={16} />, shortcut: 'M' },
  {
    action: 'replace',
    for: ['file'],
    label: 'Replace content',
    icon: <RefreshCw size={16} />,
    shortcut: 'R',
  },
  { action: 'delete', for: ALL, label: 'Delete', icon: <Trash2 size={16} />, shortcut: 'Del' },
];

/** The actions that apply to these entries together. */
export function actionsFor(entries: readonly Entry[]): AvailableAction[] {
  const kind = kindOf(entries);
  return ACTIONS.filter((action) => action.for.includes(kind));
}

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
  ['d', 'download'],
  ['s', 'details'],
  ['r', 'replace'],
];
