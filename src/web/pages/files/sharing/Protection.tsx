import { Button, Group, PasswordInput, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { FileMetadata } from '../../../api/storage.ts';
import { CopyButton } from '../../../parts/CopyButton.tsx';
import { common } from '../../../texts/common.ts';
import { sharingTexts as texts } from '../../../texts/sharing.ts';
import type { FileChange } from './useFileChange.ts';

/** The password that strangers are asked for. */
export function Password({ file, change }: { file: FileMetadata; change: FileChange }) {
  const [editing, setEditing] = useState(false);
  const [password, setPassword] = useState('');

  async function submit(event: FormEvent) {
    event.preventDefault();
    await change.set({ filePassword: password }).then(
      () => {
        setEditing(false);
        setPassword('');
      },
      () => {},
    );
  }

  if (editing) {
    return (
      <form onSubmit={submit}>
        <PasswordInput
          label={texts.passwordNew}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="new-password"
          autoFocus
          required
        />
        <Group gap="xs" mt="xs">
          <Button size="xs" type="submit" loading={change.busy} disabled={password === ''}>
            {texts.passwordSave}
          </Button>
          <Button size="xs" variant="default" onClick={() => setEditing(false)}>
            {common.action.cancel}
          </Button>
        </Group>
      </form>
    );
  }
  return (
    <Setting name={texts.password} state={file.hasFilePassword ? texts.passwordSet : texts.passwordNone}>
      <Button size="xs" variant="default" onClick={() => setEditing(true)}>
        {file.hasFilePassword ? texts.passwordChange : texts.passwordAdd}
      </Button>
      {file.hasFilePassword && <RemoveButton act={() => change.set({ filePassword: null })} what={texts.password} />}
    </Setting>
  );
}

/** The key that opens a private file, or locks a public one. */
export function AccessKey({ file, change }: { file: FileMetadata; change: FileChange }) {
  const [shown, setShown] = useState(false);
  const key = file.accessKeyPlain;
  return (
    <div>
      <Setting name={texts.key} state={file.hasAccessKey ? null : texts.keyNone}>
        <Button size="xs" variant="default" loading={change.busy} onClick={() => void change.set({ accessKey: true }).catch(() => {})}>
          {file.hasAccessKey ? texts.keyRotate : texts.keyAdd}
        </Button>
        {file.hasAccessKey && <RemoveButton act={() => change.set({ accessKey: null })} what={texts.key} />}
      </Setting>
      {key && (
        <Group gap={4} wrap="nowrap" mt={6} className="boxed" pl="sm">
          <Text className="address" size="sm" flex={1} data-testid="access-key">
            {shown ? key : '•'.repeat(16)}
          </Text>
          <Button size="compact-xs" variant="subtle" onClick={() => setShown(!shown)}>
            {shown ? texts.keyHide : texts.keyShow}
          </Button>
          <CopyButton text={key} label={texts.copy(texts.key)} />
        </Group>
      )}
    </div>
  );
}

function Setting({ name, state, children }: { name: string; state: string | null; children: React.ReactNode }) {
  return (
    <Group justify="space-between" gap="xs">
      <div>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        {state && (
          <Text size="xs" c="dimmed">
            {state}
          </Text>
        )}
      </div>
      <Group gap={6}>{children}</Group>
    </Group>
  );
}

function RemoveButton({ act, what }: { act: () => Promise<unknown>; what: string }) {
  return (
    <Button size="xs" variant="subtle" color="red" aria-label={`${texts.remove}: ${what}`} onClick={() => void act().catch(() => {})}>
      {texts.remove}
    </Button>
  );
}
