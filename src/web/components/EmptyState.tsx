import { Center, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Name } from './Name.tsx';

interface EmptyStateProps {
  title: string;
  text?: ReactNode;
  icon?: ReactNode;
  /** Buttons. */
  children?: ReactNode;
  /** Fills the page inside the shell (`page`), or the window. */
  whole?: 'page' | 'window';
}

/** Shown in place of content that is missing: the reason, and what to do. */
export function EmptyState({ title, text, icon, children, whole }: EmptyStateProps) {
  return (
    <Center mih={whole === 'window' ? '100vh' : 260} p="xl">
      <Stack align="center" gap="xs" maw={440} ta="center">
        {icon && <div className="empty-state-icon">{icon}</div>}
        <Title order={whole ? 1 : 2}>
          <Name name={title} />
        </Title>
        {text && (
          <Text c="dimmed" size="sm">
            {text}
          </Text>
        )}
        {children && <div className="empty-state-action">{children}</div>}
      </Stack>
    </Center>
  );
}
