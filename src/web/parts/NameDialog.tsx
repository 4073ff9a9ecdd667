import { Button, Group, Modal, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { ApiError } from '../api/http.ts';
import { common } from '../texts/common.ts';
import { sentenceOf } from './Failure.tsx';

interface NameDialogProps {
  title: string;
  label: string;
  initial: string;
  button: string;
  /** Rejects with what is wrong with the name. */
  submit(name: string): Promise<unknown>;
  close(): void;
}

/** Asks for one name. */
export function NameDialog({ title, label, initial, button, submit, close }: NameDialogProps) {
  const [name, setName] = useState(initial);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const focused = useRef(false);

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    try {
      await submit(name);
      close();
    } catch (error) {
      setProblem(problemOfField(error as Error));
      setBusy(false);
    }
  }

  return (
    <Modal opened onClose={close} title={title} centered>
      <form onSubmit={onSubmit}>
        <TextInput
          label={label}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={problem}
          data-autofocus
          required
          onFocus={({ currentTarget: input }) => {
            if (!focused.current) chooseStem(input);
            focused.current = true;
          }}
          maxLength={255}
        />
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" onClick={close}>
            {common.action.cancel}
          </Button>
          <Button type="submit" loading={busy} disabled={name.trim() === ''}>
            {button}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

/** What is wrong with the only field there is, without its name in the interface. */
function problemOfField(error: Error): string {
  const [only, ...others] = error instanceof ApiError ? error.errors : [];
  return only && others.length === 0 ? only.message : sentenceOf(error);
}

/** Marks a file's name without its ending, which is what one wants to type over. */
function chooseStem(input: HTMLInputElement): void {
  const end = input.value.lastIndexOf('.');
  input.setSelectionRange(0, end > 0 ? end : input.value.length);
}
