import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { texts as common } from '../texts.ts';
import { errorMessage } from './ErrorState.tsx';
import { texts } from './texts.ts';

const UNDO_MS = 10_000;

/** Shows a notification that an action succeeded, with an undo button if `undo` is given. */
export function notify(message: string, undo?: () => void): void {
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
          flex="none"
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          {texts.undo}
        </Button>
      </Group>
    ) : (
      message
    ),
  });
}

export function notifyError(error: Error): void {
  notifications.show({
    color: 'red',
    title: common.somethingWrong,
    message: errorMessage(error),
    autoClose: 8_000,
    withBorder: true,
  });
}

/** Runs `work` and reports an error as a notification; returns whether `work` succeeded. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    notifyError(error as Error);
    return false;
  }
}

/** Runs `work`, reports an error as a notification and then rejects; for the confirmation of an action. */
export async function runReported(work: () => Promise<unknown>): Promise<void> {
  if (!(await attempt(work))) throw new Error('The error was reported.');
}
