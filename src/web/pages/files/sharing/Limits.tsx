import { Button, Group, NumberInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { FileMetadata } from '../../../api/storage.ts';
import { TimeInput } from '../../../components/TimeInput.tsx';
import { useUnsaved } from '../../../components/unsaved.ts';
import { countOf } from '../../../formats.ts';
import { texts as common } from '../../../texts.ts';
import { texts } from './texts.ts';
import type { FileChange } from './useFileChange.ts';

/** Limits of the links: an expiry time and a number of downloads. */
export function Limits({ file, change }: { file: FileMetadata; change: FileChange }) {
  const form = useForm({
    mode: 'controlled',
    initialValues: {
      expiresAt: file.expiresAt === null ? '' : localTime(file.expiresAt),
      maxDownloads: (file.maxDownloads ?? '') as number | string,
    },
  });
  useUnsaved(form.isDirty());
  // An unchanged time is not sent, since the field has no seconds and no offset from UTC.
  const submit = form.onSubmit(({ expiresAt, maxDownloads }) =>
    change.set({
      ...(form.isDirty('expiresAt') && {
        expiresAt: expiresAt === '' ? null : new Date(expiresAt).toISOString(),
      }),
      ...(form.isDirty('maxDownloads') && {
        maxDownloads: maxDownloads === '' ? null : Number(maxDownloads),
      }),
    }),
  );

  return (
    <section className="details-section">
      <h2>{texts.limits}</h2>
      <form onSubmit={submit}>
        <Group gap="sm" grow align="flex-start">
          <TimeInput label={common.expires} {...form.getInputProps('expiresAt')} />
          <NumberInput
            label={texts.downloadLimit}
            min={1}
            allowDecimal={false}
            allowNegative={false}
            {...form.getInputProps('maxDownloads')}
          />
        </Group>
        <Group justify="space-between" mt="xs">
          <Text size="xs" c="dimmed">
            {downloadCount(file)}
          </Text>
          {form.isDirty() && (
            <Button size="xs" type="submit" loading={change.busy}>
              {texts.saveLimits}
            </Button>
          )}
        </Group>
      </form>
    </section>
  );
}

function downloadCount({ downloadCount: count, maxDownloads: limit }: FileMetadata): string {
  if (limit !== null) return texts.downloadsUsed(count, limit);
  return count === 0 ? texts.notDownloaded : texts.downloaded(countOf(count, 'time'));
}

/** The value of a `datetime-local` input: local time without a zone. */
function localTime(iso: string): string {
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
