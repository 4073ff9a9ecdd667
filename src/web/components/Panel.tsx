import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useShown } from './useShown.ts';

interface PanelProps {
  /** ID of the item, for addresses that point to it (`useShown`). */
  id?: string;
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  /** Whether the content has no padding, for lists. */
  flush?: boolean;
  children: ReactNode;
}

/** A section of a page with a heading. */
export function Panel({ id, title, description, actions, flush = false, children }: PanelProps) {
  return (
    <Paper component="section" withBorder radius="lg" className="surface panel" {...useShown(id)}>
      <Group justify="space-between" gap="sm" className="panel-head">
        <Stack gap={2} className="panel-title">
          <Title order={2}>{title}</Title>
          {description && (
            <Text size="sm" c="dimmed">
              {description}
            </Text>
          )}
        </Stack>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      <div className={flush ? 'panel-flush' : 'panel-body'}>{children}</div>
    </Paper>
  );
}
