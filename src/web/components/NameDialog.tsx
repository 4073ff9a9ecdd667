import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useRef } from 'react';
import { PosthouseError } from '../../client/index.ts';
import { errorMessage } from './ErrorState.tsx';
import { FormDialog } from './FormDialog.tsx';

interface NameDialogProps {
  title: string;
  label: string;
  initial: string;
  submitLabel: string;
  /** Rejects when the name is not accepted. */
  submit(name: string): Promise<unknown>;
  close(): void;
}

/** A dialog for one name. Every error is shown at the field. */
export function NameDialog({ title, label, initial, submitLabel, submit, close }: NameDialogProps) {
  const form = useForm({ mode: 'controlled', initialValues: { name: initial } });
  const focused = useRef(false);
  const save = form.onSubmit(async ({ name }) => {
    try {
      await submit(name);
      close();
    } catch (error) {
      form.setFieldError('name', nameError(error as Error));
    }
  });
  return (
    <FormDialog
      title={title}
      form={{ submitting: form.submitting, submit: save, isDirty: form.isDirty }}
      submitLabel={submitLabel}
      disabled={form.values.name.trim() === ''}
      close={close}
    >
      <TextInput
        label={label}
        data-autofocus
        required
        maxLength={255}
        {...form.getInputProps('name')}
        onFocus={({ currentTarget: input }) => {
          if (!focused.current) selectStem(input);
          focused.current = true;
        }}
      />
    </FormDialog>
  );
}

/** The message of the only field error, without the field's name in the API. */
function nameError(error: Error): string {
  const [only, ...others] = error instanceof PosthouseError ? error.errors : [];
  return only && others.length === 0 ? only.message : errorMessage(error);
}

/** Selects a file name without its extension. */
function selectStem(input: HTMLInputElement): void {
  const end = input.value.lastIndexOf('.');
  input.setSelectionRange(0, end > 0 ? end : input.value.length);
}
