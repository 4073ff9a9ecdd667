import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

interface PageLayoutProps {
  title: string;
  /** One sentence about the purpose of the page. */
  description?: ReactNode;
  /** Buttons next to the title. */
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, description, actions, children }: PageLayoutProps) {
  useDocumentTitle(`${title} · Posthouse`);
  return (
    <Box className="page">
      <Group justify="space-between" align="flex-end" mb="lg" gap="md">
        <Stack gap={2} className="page-heading">
          <Title order={1}>{title}</Title>
          {description && (
            <Text c="dimmed" size="sm">
              {description}
            </Text>
          )}
        </Stack>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Box>
  );
}
