import { Button, Group, NumberInput, PasswordInput, Stack, TextInput } from '@mantine/core';
import { changeLink, type FolderLink, useRefreshLinks } from '../../../api/links.ts';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { FormButtons } from '../../../components/FormDialog.tsx';
import { attempt, notify } from '../../../components/notify.tsx';
import { useUnsaved } from '../../../components/unsaved.ts';
import { useApiForm } from '../../../components/useApiForm.ts';
import { texts as common } from '../../../texts.ts';
import { Expiry, expiresAt } from './Expiry.tsx';
import { LocationsHint } from './LocationHint.tsx';
import { texts } from './texts.ts';
import { mebibytesOf, Uploads, uploadChange } from './Uploads.tsx';

interface LinkOptionsProps {
  link: FolderLink;
  changed(link: FolderLink): void;
  close(): void;
}

/** The address of a link, and its options with one button that saves them. */
export function LinkOptions({ link, changed, close }: LinkOptionsProps) {
  const refresh = useRefreshLinks();
  const form = useLinkForm({ link, changed, close });
  const isDirty = form.isDirty();
  useUnsaved(isDirty);
  const removePassword = () =>
    attempt(async () => {
      changed(await changeLink(link.id, { password: null }));
      refresh();
    });
  const { values, setFieldValue } = form;
  return (
    <form onSubmit={form.submit} autoComplete="off">
      <Stack gap="md">
        <Group gap={4} align="flex-end" wrap="nowrap">
          <TextInput
            flex={1}
            label={texts.link}
            value={link.url}
            readOnly
            onFocus={(event) => event.currentTarget.select()}
            classNames={{ input: 'address' }}
          />
          <CopyButton text={link.url} label={texts.copyLink} />
        </Group>
        {values.access !== 'upload' && <LocationsHint />}
        <Expiry link={link} value={values.expiry} change={(expiry) => setFieldValue('expiry', expiry)} />
        <Group gap="sm" grow align="flex-end">
          <PasswordInput
            {...form.field('password', link.hasPassword ? common.newPassword : common.password)}
            autoComplete="new-password"
          />
          <NumberInput
            {...form.field('maxDownloads', texts.downloadLimit)}
            min={1}
            allowDecimal={false}
            allowNegative={false}
          />
        </Group>
        {link.hasPassword && (
          <Button size="xs" variant="subtle" color="red" onClick={() => void removePassword()}>
            {texts.removePassword}
          </Button>
        )}
        {link.folderId !== null && <Uploads form={form} />}
        <TextInput {...form.field('title', texts.pageTitle)} maxLength={200} />
        <FormButtons
          submitLabel={texts.saveOptions}
          submitting={form.submitting}
          disabled={!isDirty}
          // The link already exists and is kept: only changed options are lost.
          closeLabel={isDirty ? texts.discard : common.close}
          close={close}
        />
      </Stack>
    </form>
  );
}

/** The form of the options, which saves those that have changed. */
function useLinkForm({ link, changed, close }: LinkOptionsProps) {
  const refresh = useRefreshLinks();
  return useApiForm(
    {
      expiry: link.expiresAt === null ? 'never' : 'kept',
      password: '',
      maxDownloads: (link.maxDownloads ?? '') as number | string,
      title: link.title ?? '',
      access: link.access,
      maxFiles: (link.maxFiles ?? '') as number | string,
      maxMebibytes: mebibytesOf(link),
    },
    async ({ expiry, password, maxDownloads, title, ...values }) => {
      changed(
        await changeLink(link.id, {
          ...(expiry !== 'kept' && { expiresAt: expiresAt(expiry) }),
          ...(password !== '' && { password }),
          ...(maxDownloads !== (link.maxDownloads ?? '') && {
            maxDownloads: maxDownloads === '' ? null : Number(maxDownloads),
          }),
          ...(title !== (link.title ?? '') && { title: title || null }),
          ...uploadChange(link, values),
        }),
      );
      refresh();
      notify(texts.optionsSaved);
      close();
    },
  );
}
