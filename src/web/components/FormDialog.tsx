import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { texts as common } from '../texts.ts';
import { Dialog } from './Dialog.tsx';
import { useUnsaved } from './unsaved.ts';

interface FormButtonsProps {
  submitLabel: string;
  submitting: boolean;
  disabled?: boolean;
  /** Label of the button that closes the form without saving. */
  closeLabel?: string;
  close(): void;
}

/** The buttons at the end of a form: cancel and submit. */
export function FormButtons({
  submitLabel,
  submitting,
  disabled,
  closeLabel = common.cancel,
  close,
}: FormButtonsProps) {
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={close}>
        {closeLabel}
      </Button>
      <Button type="submit" loading={submitting} disabled={disabled}>
        {submitLabel}
      </Button>
    </Group>
  );
}

interface FormDialogProps extends Omit<FormButtonsProps, 'submitting'> {
  title: string;
  form: { submitting: boolean; submit(event: FormEvent<HTMLFormElement>): void; isDirty(): boolean };
  children: ReactNode;
}

export function FormDialog({ title, form, children, close, ...buttons }: FormDialogProps) {
  // While it is submitted, it may navigate.
  useUnsaved(form.isDirty() && !form.submitting);
  return (
    <Dialog close={close} title={title}>
      <form onSubmit={form.submit} autoComplete="off">
        <Stack gap="md">
          {children}
          <FormButtons submitting={form.submitting} close={close} {...buttons} />
        </Stack>
      </form>
    </Dialog>
  );
}
