import { useMantineColorScheme } from '@mantine/core';
import { CircleAlert, FileText, Keyboard, LogOut, Monitor, Moon, Settings, Sun } from 'lucide-react';
import { useLocation } from 'wouter';
import { type Me, useSignOut } from '../../api/session.ts';
import { ADMIN_PAGES, FURTHER_PAGES, PAGES, type PageLink } from '../page-links.tsx';
import { matching, type PaletteGroup } from './items.ts';

/** Parts of the administration pages. */
const ADMIN_PARTS: readonly PageLink[] = [
  { address: '/admin/messages?status=failed', label: 'Failed messages', icon: <CircleAlert size={18} /> },
  { address: '/admin/mail/templates', label: 'Mail templates', icon: <FileText size={18} /> },
  { address: '/admin/mail/settings', label: 'Mail settings and test mail', icon: <Settings size={18} /> },
  { address: '/admin/mail/spam', label: 'Spam', icon: <CircleAlert size={18} /> },
];

/** The pages and actions that match, for the role of the person. */
export function useCommands({ role }: Me, query: string, showKeys: () => void): PaletteGroup[] {
  const [, navigate] = useLocation();
  const { setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const pages = [...PAGES, ...FURTHER_PAGES, ...(role === 'admin' ? [...ADMIN_PAGES, ...ADMIN_PARTS] : [])];
  const actions = [
    { id: 'keys', label: 'Keyboard shortcuts', icon: <Keyboard size={18} />, run: showKeys },
    { id: 'light', label: 'Light colors', icon: <Sun size={18} />, run: () => setColorScheme('light') },
    { id: 'dark', label: 'Dark colors', icon: <Moon size={18} />, run: () => setColorScheme('dark') },
    {
      id: 'auto',
      label: 'Colors of the system',
      icon: <Monitor size={18} />,
      run: () => setColorScheme('auto'),
    },
    { id: 'out', label: 'Sign out', icon: <LogOut size={18} />, run: () => signOut.mutate() },
  ];
  const links = pages.map(({ address, ...page }) => ({ id: address, ...page, run: () => navigate(address) }));
  return [...matching('Pages', links, query), ...matching('Actions', actions, query)];
}
