import {
  Button,
  Group,
  NumberInput,
  PasswordInput,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { changeLink, type FolderLink, useRefreshLinks } from '../../../api/links.ts';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { FormButtons } from '../../../components/FormDialog.tsx';
import { notify } from '../../../components/notify.tsx';
import { Time } from '../../../components/Time.tsx';
import { useApiForm } from '../../../components/useApiForm.ts';
import { mebibytesOf, Uploads, uploadChange } from './Uploads.tsx';

interface LinkOptionsProps {
  link: FolderLink;
  changed(link: FolderLink): void;
  close(): void;
}

const DAY_MS = 24 * 3_600_000;
/** Times until the expiry, in days; the first keeps the present one. */
const EXPIRIES = { never: 'Never', '1': '1 day', '7': '7 days', '30': '30 days' };

/** The address of a link, and its options with one button that saves them. */
export function LinkOptions({ link, changed, close }: LinkOptionsProps) {
  const refresh = useRefreshLinks();
  const form = useApiForm(
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
          maxDownloads: maxDownloads === '' ? null : Number(maxDownloads),
          title: title || null,
          ...uploadChange(link, values),
        }),
      );
      refresh();
      notify('Options saved');
      close();
    },
  );
  const removePassword = async () => {
    changed(await changeLink(link.id, { password: null }));
    refresh();
  };
  const { values, setFieldValue } = form;
  return (
    <form onSubmit={form.submit} autoComplete="off">
      <Stack gap="md">
        <Group gap={4} align="flex-end" wrap="nowrap">
          <TextInput
            flex={1}
            label="Link"
            value={link.url}
            readOnly
            onFocus={(event) => event.currentTarget.select()}
            classNames={{ input: 'address' }}
          />
          <CopyButton text={link.url} label="Copy link" />
        </Group>
        <div>
          <Text size="sm" fw={500} mb={4}>
            Expires
            {values.expiry === 'kept' && link.expiresAt !== null && (
              <>
                {' '}
                <Time value={link.expiresAt} />
              </>
            )}
          </Text>
          <SegmentedControl
            fullWidth
            aria-label="Expires"
            value={values.expiry}
            onChange={(expiry) => setFieldValue('expiry', expiry)}
            data={[
              ...(link.expiresAt === null ? [] : [{ value: 'kept', label: 'As now' }]),
              ...Object.entries(EXPIRIES).map(([value, label]) => ({ value, label })),
            ]}
          />
        </div>
        <Group gap="sm" grow align="flex-end">
          <PasswordInput
            {...form.field('password', link.hasPassword ? 'New password' : 'Password')}
            autoComplete="new-password"
          />
          <NumberInput
            {...form.field('maxDownloads', 'Download limit')}
            min={1}
            allowDecimal={false}
            allowNegative={false}
          />
        </Group>
        {link.hasPassword && (
          <Button size="xs" variant="subtle" color="red" onClick={() => void removePassword()}>
            Remove password
          </Button>
        )}
        {link.folderId !== null && <Uploads form={form} />}
        <TextInput {...form.field('title', 'Title of the page')} maxLength={200} />
        <FormButtons
          submitLabel="Save options"
          submitting={form.submitting}
          disabled={!form.isDirty()}
          close={close}
        />
      </Stack>
    </form>
  );
}

const expiresAt = (days: string) =>
  days === 'never' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
