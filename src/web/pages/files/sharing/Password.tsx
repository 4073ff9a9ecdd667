import { Button, Group, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { FileMetadata } from '../../../api/storage.ts';
import { useUnsaved } from '../../../components/unsaved.ts';
import { texts as common } from '../../../texts.ts';
import { Setting } from './Setting.tsx';
import { texts } from './texts.ts';
import type { FileChange } from './useFileChange.ts';

interface PasswordProps {
  file: FileMetadata;
  change: FileChange;
}

/** The password that visitors have to enter. */
export function Password({ file, change }: PasswordProps) {
  const [editing, setEditing] = useState(false);
  if (editing) return <PasswordForm change={change} close={() => setEditing(false)} />;
  return (
    <Setting
      name={common.password}
      state={file.hasFilePassword ? texts.passwordSet : texts.noPassword}
      remove={file.hasFilePassword ? () => void change.set({ filePassword: null }) : undefined}
    >
      <Button size="xs" variant="default" onClick={() => setEditing(true)}>
        {file.hasFilePassword ? texts.change : texts.setPassword}
      </Button>
    </Setting>
  );
}

function PasswordForm({ change, close }: { change: FileChange; close(): void }) {
  const form = useForm({ mode: 'controlled', initialValues: { filePassword: '' } });
  useUnsaved(form.isDirty());
  const submit = form.onSubmit(async (values) => {
    if (await change.set(values)) close();
  });
  return (
    <form onSubmit={submit}>
      <PasswordInput
        label={common.newPassword}
        autoComplete="new-password"
        autoFocus
        required
        {...form.getInputProps('filePassword')}
      />
      <Group gap="xs" mt="xs">
        <Button size="xs" type="submit" loading={change.busy} disabled={form.values.filePassword === ''}>
          {texts.savePassword}
        </Button>
        <Button size="xs" variant="default" onClick={close}>
          {common.cancel}
        </Button>
      </Group>
    </form>
  );
}
