import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface PanelProps {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  /** Its content reaches the borders, as lists do. */
  flush?: boolean;
  children: ReactNode;
}

/** A part of a page with a heading of its own. */
export function Panel({ title, about, actions, flush = false, children }: PanelProps) {
  return (
    <Paper component="section" withBorder radius="lg" className="surface panel">
      <Group justify="space-between" gap="sm" className="panel-head">
        <Stack gap={2} className="panel-title">
          <Title order={2}>{title}</Title>
          {about && (
            <Text size="sm" c="dimmed">
              {about}
            </Text>
          )}
        </Stack>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      <div className={flush ? 'panel-flush' : 'panel-body'}>{children}</div>
    </Paper>
  );
}
