import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { common } from '../texts/common.ts';
import { sentenceOf } from './Failure.tsx';

const UNDO_MS = 10_000;

/** Says at the edge of the screen that something was done, with a way back where there is one. */
export function tell(message: string, undo?: () => void): void {
  const id = notifications.show({
    color: 'green',
    autoClose: undo ? UNDO_MS : 4_000,
    withBorder: true,
    message: undo ? (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" lineClamp={2}>
          {message}
        </Text>
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          {common.action.undo}
        </Button>
      </Group>
    ) : (
      message
    ),
  });
}

export function tellError(error: Error): void {
  notifications.show({ color: 'red', title: common.error.title, message: sentenceOf(error), autoClose: 8_000, withBorder: true });
}

/** Does something a person asked for, and says so when it does not work; gives whether it did. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    tellError(error as Error);
    return false;
  }
}
