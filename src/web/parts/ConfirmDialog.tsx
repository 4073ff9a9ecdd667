import { Button, Group, Modal, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { common } from '../texts/common.ts';

interface ConfirmDialogProps {
  title: string;
  text: ReactNode;
  button: string;
  /** Says itself when it does not work, and rejects then. */
  confirm(): Promise<unknown>;
  close(): void;
}

/** Asks before something is done that cannot be undone. */
export function ConfirmDialog({ title, text, button, confirm, close }: ConfirmDialogProps) {
  const [busy, setBusy] = useState(false);
  return (
    <Modal opened onClose={close} title={title} centered>
      <Text size="sm">{text}</Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={close} data-autofocus>
          {common.action.cancel}
        </Button>
        <Button
          color="red"
          loading={busy}
          onClick={async () => {
            setBusy(true);
            try {
              await confirm();
              close();
            } catch {
              setBusy(false);
            }
          }}
        >
          {button}
        </Button>
      </Group>
    </Modal>
  );
}
