import { Alert, Group, NumberInput, SegmentedControl, Stack, Text } from '@mantine/core';
import type { FolderLink, LinkChange } from '../../../api/links.ts';
import type { useApiForm } from '../../../components/useApiForm.ts';
import { texts as common } from '../../../texts.ts';
import { texts } from './texts.ts';

/** Permissions of visitors, and the limits of the files that they send. */
interface UploadValues {
  access: FolderLink['access'];
  maxFiles: number | string;
  maxMebibytes: number | string;
}

type Form = Pick<
  ReturnType<typeof useApiForm<UploadValues & Record<string, number | string>>>,
  'values' | 'setFieldValue' | 'field'
>;

const MEBIBYTE = 1_048_576;
const CHOICES = [
  { value: 'view', label: texts.view },
  { value: 'upload', label: common.sendFiles },
  { value: 'both', label: texts.both },
];
const LIMIT = { min: 1, allowNegative: false, thousandSeparator: ' ' };

/** Chooses whether visitors of a link see the files of its folder, send some, or both. */
export function Uploads({ form: { values, setFieldValue, field } }: { form: Form }) {
  return (
    <Stack gap="xs">
      <div>
        <Text size="sm" fw={600} mb={4}>
          {texts.visitorsMay}
        </Text>
        <SegmentedControl
          fullWidth
          aria-label={texts.visitorsMay}
          value={values.access}
          onChange={(access) => setFieldValue('access', access as FolderLink['access'])}
          data={CHOICES}
        />
      </div>
      {values.access === 'both' && (
        <Alert color="yellow" p="xs">
          {texts.bothText}
        </Alert>
      )}
      {values.access !== 'view' && (
        <Group gap="sm" grow align="flex-end">
          <NumberInput {...LIMIT} {...field('maxFiles', texts.maxFiles)} allowDecimal={false} />
          <NumberInput {...LIMIT} {...field('maxMebibytes', texts.maxBytes)} suffix=" MiB" decimalScale={2} />
        </Group>
      )}
    </Stack>
  );
}

export function mebibytesOf({ maxBytes }: FolderLink): number | string {
  return maxBytes === null ? '' : Math.max(0.01, Math.round((maxBytes / MEBIBYTE) * 100) / 100);
}

/** Returns the limits that have changed; an empty field restores the default of the server. */
export function uploadChange(link: FolderLink, { access, maxFiles, maxMebibytes }: UploadValues): LinkChange {
  if (link.folderId === null) return {};
  if (access === 'view') return { access };
  const bytes = maxMebibytes === '' ? null : Math.round(Number(maxMebibytes) * MEBIBYTE);
  return {
    access,
    ...(maxFiles !== (link.maxFiles ?? '') && { maxFiles: maxFiles === '' ? null : Number(maxFiles) }),
    ...(maxMebibytes !== mebibytesOf(link) && { maxBytes: bytes }),
  };
}
