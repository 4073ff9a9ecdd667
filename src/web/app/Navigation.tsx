import { AppShell, Burger, Divider, Group, NavLink, ScrollArea, Text } from '@mantine/core';
import { LogOut, Search, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { type Me, useSignOut } from '../api/session.ts';
import { Logo } from '../components/Logo.tsx';
import { texts as common } from '../texts.ts';
import { preloadPage } from './Pages.tsx';
import { ADMIN_PAGES, PAGES } from './page-links.tsx';
import { SchemeSwitch } from './SchemeSwitch.tsx';
import { texts } from './texts.ts';

interface NavigationProps {
  me: Me;
  close(): void;
  openPalette(): void;
}

/** Links to the pages and to the account. */
export function Navigation({ me, close, openPalette }: NavigationProps) {
  const signOut = useSignOut();
  return (
    <>
      <AppShell.Section p="md" pb="sm">
        <Group justify="space-between">
          <Logo named />
          <Burger opened onClick={close} hiddenFrom="sm" size="sm" mr={-12} aria-label={texts.closeMenu} />
        </Group>
      </AppShell.Section>
      <AppShell.Section grow component={ScrollArea} px="xs">
        <NavLink
          component="button"
          label={texts.search}
          leftSection={<Search size={18} />}
          rightSection={<kbd className="shortcut">{common.ctrlK}</kbd>}
          onClick={() => {
            close();
            openPalette();
          }}
        />
        {PAGES.map((page) => (
          <NavItem key={page.address} {...page} />
        ))}
        {me.role === 'admin' && (
          <>
            <Text size="xs" fw={600} c="dimmed" px="sm" mt="lg" mb={6}>
              {texts.administration}
            </Text>
            {ADMIN_PAGES.map((page) => (
              <NavItem key={page.address} {...page} />
            ))}
          </>
        )}
      </AppShell.Section>
      <AppShell.Section p="xs">
        <Group px="sm" pb="xs" justify="space-between">
          <SchemeSwitch />
        </Group>
        <Divider mb="xs" />
        <NavItem
          address="/account"
          label={me.name || me.email}
          description={me.name ? me.email : undefined}
          icon={<UserRound size={18} />}
        />
        <NavLink
          component="button"
          label={common.signOut}
          leftSection={<LogOut size={18} />}
          onClick={() => signOut.mutate()}
        />
      </AppShell.Section>
    </>
  );
}

function NavItem({
  address,
  label,
  description,
  icon,
}: {
  address: string;
  label: string;
  description?: string;
  icon: ReactNode;
}) {
  const [current] = useLocation();
  const active = address === '/' ? current === '/' : current === address || current.startsWith(`${address}/`);
  return (
    <NavLink
      component={Link}
      href={address}
      onPointerEnter={() => void preloadPage(address)}
      label={label}
      description={description}
      title={description && `${label}\n${description}`}
      leftSection={icon}
      active={active}
      aria-current={active ? 'page' : undefined}
      className="nav-item"
    />
  );
}
