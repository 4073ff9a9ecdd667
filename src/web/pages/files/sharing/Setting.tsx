import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts as common } from '../../../texts.ts';
import { texts } from './texts.ts';

interface SettingProps {
  name: string;
  /** The current value in words. */
  state?: string;
  /** Removes the value; undefined if there is none. */
  remove?(): void;
  /** Buttons. */
  children: ReactNode;
}

export function Setting({ name, state, remove, children }: SettingProps) {
  return (
    <Group justify="space-between" gap="xs">
      <div>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        {state && (
          <Text size="xs" c="dimmed">
            {state}
          </Text>
        )}
      </div>
      <Group gap={6}>
        {children}
        {remove && (
          <Button
            size="xs"
            variant="subtle"
            color="red"
            aria-label={texts.removeNamed(name)}
            onClick={remove}
          >
            {common.remove}
          </Button>
        )}
      </Group>
    </Group>
  );
}
