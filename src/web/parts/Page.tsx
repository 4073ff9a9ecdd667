import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { common } from '../texts/common.ts';

interface PageParts {
  title: string;
  /** One sentence on what the page is for. */
  about?: ReactNode;
  /** What can be done here, at the right of the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page with its heading. */
export function Page({ title, about, actions, children }: PageParts) {
  useDocumentTitle(`${title} · ${common.product}`);
  return (
    <Box className="page">
      <Group justify="space-between" align="flex-end" mb="lg" gap="md">
        <Stack gap={2} className="page-heading">
          <Title order={1}>{title}</Title>
          {about && (
            <Text c="dimmed" size="sm">
              {about}
            </Text>
          )}
        </Stack>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Box>
  );
}
