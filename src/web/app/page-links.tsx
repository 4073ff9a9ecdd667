import {
  Folder,
  HardDrive,
  House,
  Images,
  Mail,
  MessagesSquare,
  ScrollText,
  Share2,
  Trash2,
  UserRound,
  Users,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { texts as common } from '../texts.ts';

export interface PageLink {
  address: string;
  label: string;
  icon: ReactNode;
}

/** Pages for everyone. */
export const PAGES: readonly PageLink[] = [
  { address: '/', label: common.home, icon: <House size={18} /> },
  { address: '/files', label: common.files, icon: <Folder size={18} /> },
  { address: '/timeline', label: common.timeline, icon: <Images size={18} /> },
];

/** Pages for administrators. */
export const ADMIN_PAGES: readonly PageLink[] = [
  { address: '/admin/chat', label: common.chat, icon: <MessagesSquare size={18} /> },
  { address: '/admin/mail', label: common.mail, icon: <Mail size={18} /> },
  { address: '/admin/messages', label: common.messages, icon: <ScrollText size={18} /> },
  { address: '/admin/people', label: common.people, icon: <Users size={18} /> },
  { address: '/admin/workspaces', label: common.workspaces, icon: <HardDrive size={18} /> },
];

/** Pages that only the palette lists. */
export const FURTHER_PAGES: readonly PageLink[] = [
  { address: '/files/shared', label: common.shared, icon: <Share2 size={18} /> },
  { address: '/files/trash', label: common.trash, icon: <Trash2 size={18} /> },
  { address: '/account', label: common.account, icon: <UserRound size={18} /> },
];
