import { Group, SegmentedControl, Text } from '@mantine/core';
import { Globe, LockKeyhole } from 'lucide-react';
import type { FileMetadata } from '../../../api/storage.ts';
import { useFilesPage } from '../FilesContext.ts';
import type { FileChange } from './useFileChange.ts';

/** Makes a file public or private, and explains who can open it. */
export function VisibilityChoice({ file, change }: { file: FileMetadata; change: FileChange }) {
  const { isShared } = useFilesPage();
  return (
    <section className="details-section">
      <h2>Who can access</h2>
      <SegmentedControl
        fullWidth
        aria-label="Who can access"
        value={String(file.visibility)}
        disabled={change.busy}
        onChange={(value) => void change.set({ visibility: value === '1' ? 1 : 0 })}
        data={[
          { value: '0', label: <Choice icon={<LockKeyhole size={16} />} text="Private" /> },
          { value: '1', label: <Choice icon={<Globe size={16} />} text="Public" /> },
        ]}
      />
      <Text size="sm" c="dimmed" mt={8}>
        {hintFor(file, isShared)}
      </Text>
    </section>
  );
}

function hintFor({ visibility, hasAccessKey, hasFilePassword }: FileMetadata, isShared: boolean): string {
  if (visibility === 0 && !hasAccessKey)
    return isShared ? 'Only members of the workspace can open this file.' : 'Only you can open this file.';
  const hint = hasAccessKey
    ? 'Anyone with a link and the access key can open this file.'
    : 'Anyone with a link can open this file.';
  return hasFilePassword ? `${hint} The password is required as well.` : hint;
}

const Choice = ({ icon, text }: { icon: React.ReactNode; text: string }) => (
  <Group gap={8} justify="center" wrap="nowrap">
    {icon}
    {text}
  </Group>
);
