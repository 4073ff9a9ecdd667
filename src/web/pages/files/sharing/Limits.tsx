import { Button, Group, NumberInput, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { FileMetadata } from '../../../api/storage.ts';
import { sharingTexts as texts } from '../../../texts/sharing.ts';
import type { FileChange } from './useFileChange.ts';

/** When the links end: at a time, or after so many downloads. */
export function Limits({ file, change }: { file: FileMetadata; change: FileChange }) {
  const initial = { expires: file.expiresAt === null ? '' : localTime(file.expiresAt), most: file.maxDownloads ?? '' };
  const [expires, setExpires] = useState(initial.expires);
  const [most, setMost] = useState<number | string>(initial.most);
  const isChanged = expires !== initial.expires || most !== initial.most;

  async function submit(event: FormEvent) {
    event.preventDefault();
    await change
      .set({
        expiresAt: expires === '' ? null : new Date(expires).toISOString(),
        maxDownloads: most === '' ? null : Number(most),
      })
      .catch(() => {});
  }

  return (
    <section className="details-section">
      <h2>{texts.limits}</h2>
      <form onSubmit={submit}>
        <Group gap="sm" grow align="flex-start">
          <TextInput
            type="datetime-local"
            label={texts.expires}
            value={expires}
            onChange={(event) => setExpires(event.currentTarget.value)}
          />
          <NumberInput label={texts.downloads} value={most} onChange={setMost} min={1} allowDecimal={false} allowNegative={false} />
        </Group>
        <Group justify="space-between" mt="xs">
          <Text size="xs" c="dimmed">
            {texts.downloadsSoFar(file.downloadCount, file.maxDownloads)}
          </Text>
          {isChanged && (
            <Button size="xs" type="submit" loading={change.busy}>
              {texts.limitsSave}
            </Button>
          )}
        </Group>
      </form>
    </section>
  );
}

/** The form in which `datetime-local` has its value: the reader's own time, without a zone. */
function localTime(iso: string): string {
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
