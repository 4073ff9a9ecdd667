import { Center, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface NothingProps {
  title: string;
  text?: ReactNode;
  icon?: ReactNode;
  /** What to do about it. */
  children?: ReactNode;
  /** The whole page is this: `page` inside the frame, `window` without one. */
  whole?: 'page' | 'window';
}

/** A place that has nothing to show, why, and what to do. */
export function Nothing({ title, text, icon, children, whole }: NothingProps) {
  return (
    <Center mih={whole === 'window' ? '100vh' : 260} p="xl">
      <Stack align="center" gap="xs" maw={440} ta="center">
        {icon && <div className="nothing-icon">{icon}</div>}
        <Title order={whole ? 1 : 2}>{title}</Title>
        {text && (
          <Text c="dimmed" size="sm">
            {text}
          </Text>
        )}
        {children && <div className="nothing-action">{children}</div>}
      </Stack>
    </Center>
  );
}
