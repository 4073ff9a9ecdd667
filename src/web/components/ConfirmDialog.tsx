import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { texts as common } from '../texts.ts';
import { Dialog } from './Dialog.tsx';

interface ConfirmDialogProps {
  title: string;
  text: ReactNode;
  confirmLabel: string;
  /** Reports its own errors, and then rejects. */
  confirm(): Promise<unknown>;
  close(): void;
}

/** Asks for confirmation before an action that cannot be undone. */
export function ConfirmDialog({ title, text, confirmLabel, confirm, close }: ConfirmDialogProps) {
  const [busy, setBusy] = useState(false);
  async function run() {
    setBusy(true);
    try {
      await confirm();
      close();
    } catch {
      setBusy(false);
    }
  }
  return (
    <Dialog close={close} title={title}>
      <Text size="sm">{text}</Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={close} data-autofocus>
          {common.cancel}
        </Button>
        <Button color="red" loading={busy} onClick={() => void run()}>
          {confirmLabel}
        </Button>
      </Group>
    </Dialog>
  );
}
