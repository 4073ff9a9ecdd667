import { Group, SegmentedControl, Text } from '@mantine/core';
import { Globe, LockKeyhole } from 'lucide-react';
import type { FileMetadata } from '../../../api/storage.ts';
import { texts as common } from '../../../texts.ts';
import { useFilesPage } from '../FilesContext.ts';
import { texts } from './texts.ts';
import type { FileChange } from './useFileChange.ts';

/** Makes a file public or private, and explains who can open it. */
export function VisibilityChoice({ file, change }: { file: FileMetadata; change: FileChange }) {
  const { isShared } = useFilesPage();
  return (
    <section className="details-section">
      <h2>{texts.whoCanAccess}</h2>
      <SegmentedControl
        fullWidth
        aria-label={texts.whoCanAccess}
        value={String(file.visibility)}
        disabled={change.busy}
        onChange={(value) => void change.set({ visibility: value === '1' ? 1 : 0 })}
        data={[
          { value: '0', label: <Choice icon={<LockKeyhole size={16} />} text={texts.private} /> },
          { value: '1', label: <Choice icon={<Globe size={16} />} text={common.public} /> },
        ]}
      />
      <Text size="sm" c="dimmed" mt={8}>
        {hintFor(file, isShared)}
      </Text>
    </section>
  );
}

function hintFor({ visibility, hasAccessKey, hasFilePassword }: FileMetadata, isShared: boolean): string {
  if (visibility === 0 && !hasAccessKey) return isShared ? texts.membersOnly : texts.onlyYou;
  const hint = hasAccessKey ? texts.withKey : texts.withLink;
  return hasFilePassword ? texts.andPassword(hint) : hint;
}

const Choice = ({ icon, text }: { icon: React.ReactNode; text: string }) => (
  <Group gap={8} justify="center" wrap="nowrap">
    {icon}
    {text}
  </Group>
);
