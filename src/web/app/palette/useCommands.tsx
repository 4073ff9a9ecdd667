import { useMantineColorScheme } from '@mantine/core';
import { CircleAlert, FileText, Keyboard, LogOut, Monitor, Moon, Settings, Sun } from 'lucide-react';
import { useLocation } from 'wouter';
import { type Me, useSignOut } from '../../api/session.ts';
import { hasTouch } from '../../components/has-touch.ts';
import { texts as common } from '../../texts.ts';
import { ADMIN_PAGES, FURTHER_PAGES, PAGES, type PageLink } from '../page-links.tsx';
import { matching, type PaletteGroup } from './items.ts';
import { texts } from './texts.ts';

/** Parts of the administration pages. */
const ADMIN_PARTS: readonly PageLink[] = [
  { address: '/admin/messages?status=failed', label: texts.failedMessages, icon: <CircleAlert size={18} /> },
  { address: '/admin/mail/templates', label: texts.mailTemplates, icon: <FileText size={18} /> },
  { address: '/admin/mail/settings', label: texts.mailSettings, icon: <Settings size={18} /> },
  { address: '/admin/mail/spam', label: common.spam, icon: <CircleAlert size={18} /> },
];

/** The pages and actions that match, for the role of the person. */
export function useCommands({ role }: Me, query: string, showKeys: () => void): PaletteGroup[] {
  const [, navigate] = useLocation();
  const { setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const pages = [...PAGES, ...FURTHER_PAGES, ...(role === 'admin' ? [...ADMIN_PAGES, ...ADMIN_PARTS] : [])];
  const actions = [
    ...(hasTouch() ? [] : [{ id: 'keys', label: texts.keys, icon: <Keyboard size={18} />, run: showKeys }]),
    { id: 'light', label: texts.light, icon: <Sun size={18} />, run: () => setColorScheme('light') },
    { id: 'dark', label: texts.dark, icon: <Moon size={18} />, run: () => setColorScheme('dark') },
    {
      id: 'auto',
      label: texts.systemColors,
      icon: <Monitor size={18} />,
      run: () => setColorScheme('auto'),
    },
    { id: 'out', label: common.signOut, icon: <LogOut size={18} />, run: () => signOut.mutate() },
  ];
  const links = pages.map(({ address, ...page }) => ({ id: address, ...page, run: () => navigate(address) }));
  return [...matching(common.pages, links, query), ...matching(common.actions, actions, query)];
}
