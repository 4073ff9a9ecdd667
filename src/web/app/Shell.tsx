import { AppShell, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useLocation } from 'wouter';
import type { Me } from '../api/session.ts';
import { IconButton } from '../components/IconButton.tsx';
import { Logo } from '../components/Logo.tsx';
import type { Refresher } from '../live/refresh.ts';
import { useLiveEvents } from '../live/useLiveEvents.ts';
import { registerServiceWorker } from '../service-worker/register.ts';
import { texts as common } from '../texts.ts';
import { Navigation } from './Navigation.tsx';
import { OutageBanner } from './OutageBanner.tsx';
import { ShortcutHelp, useShortcutHelp } from './palette/ShortcutHelp.tsx';
import { texts } from './texts.ts';

interface ShellProps {
  me: Me;
  refresher: Refresher;
  children: ReactNode;
}

/** The frame of every page: the navigation at the side, or behind a button on narrow screens. */
export function Shell({ me, refresher, children }: ShellProps) {
  const [opened, { toggle, close }] = useDisclosure();
  const [address] = useLocation();
  const help = useShortcutHelp();
  useLiveEvents(me.id, refresher);
  useEffect(close, [address]);
  useEffect(registerServiceWorker, []);
  return (
    <AppShell
      layout="alt"
      header={{ height: { base: 56, sm: 0 } }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      className="shell"
    >
      <a href="#content" className="skip-link">
        {texts.skip}
      </a>
      <AppShell.Header hiddenFrom="sm" className="shell-bar">
        <Group h="100%" px="md" justify="space-between">
          <Logo named />
          <Group gap={4} mr={-12}>
            <IconButton label={texts.search} icon={<Search size={20} />} onClick={help.openPalette} />
            <Burger
              opened={opened}
              onClick={toggle}
              size="sm"
              aria-label={opened ? texts.closeMenu : texts.openMenu}
            />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="shell-bar" aria-label={common.pages}>
        <Navigation me={me} close={close} openPalette={help.openPalette} />
      </AppShell.Navbar>
      <AppShell.Main id="content" className="shell-main" tabIndex={-1}>
        <OutageBanner />
        {children}
      </AppShell.Main>
      <ShortcutHelp me={me} help={help} />
    </AppShell>
  );
}
