import {
  Folder,
  HardDrive,
  House,
  Mail,
  MessagesSquare,
  ScrollText,
  Share2,
  Trash2,
  UserRound,
  Users,
} from 'lucide-react';
import type { ReactNode } from 'react';

export interface PageLink {
  address: string;
  label: string;
  icon: ReactNode;
}

/** The pages of everyone. */
export const PAGES: readonly PageLink[] = [
  { address: '/', label: 'Home', icon: <House size={18} /> },
  { address: '/files', label: 'Files', icon: <Folder size={18} /> },
];

/** The pages of administrators. */
export const ADMIN_PAGES: readonly PageLink[] = [
  { address: '/admin/chat', label: 'Chat', icon: <MessagesSquare size={18} /> },
  { address: '/admin/mail', label: 'Mail', icon: <Mail size={18} /> },
  { address: '/admin/messages', label: 'Messages', icon: <ScrollText size={18} /> },
  { address: '/admin/people', label: 'People', icon: <Users size={18} /> },
  { address: '/admin/workspaces', label: 'Workspaces', icon: <HardDrive size={18} /> },
];

/** Pages that only the palette lists. */
export const FURTHER_PAGES: readonly PageLink[] = [
  { address: '/files/shared', label: 'Shared', icon: <Share2 size={18} /> },
  { address: '/files/trash', label: 'Trash', icon: <Trash2 size={18} /> },
  { address: '/account', label: 'Account', icon: <UserRound size={18} /> },
];
