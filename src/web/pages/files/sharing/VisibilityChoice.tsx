import { Group, SegmentedControl, Text } from '@mantine/core';
import { Globe, LockKeyhole } from 'lucide-react';
import type { FileMetadata } from '../../../api/storage.ts';
import { sharingTexts as texts } from '../../../texts/sharing.ts';
import type { FileChange } from './useFileChange.ts';

/** Public or private, and in a sentence what that means with the secrets that are set. */
export function VisibilityChoice({ file, change }: { file: FileMetadata; change: FileChange }) {
  const isPublic = file.visibility === 1;
  const about = isPublic
    ? file.hasAccessKey
      ? texts.publicKeyAbout
      : texts.publicAbout
    : file.hasAccessKey
      ? texts.privateKeyAbout
      : texts.privateAbout;
  const isOpen = isPublic || file.hasAccessKey;
  return (
    <section className="details-section">
      <h2>{texts.visibility}</h2>
      <SegmentedControl
        fullWidth
        aria-label={texts.visibility}
        value={String(file.visibility)}
        disabled={change.busy}
        onChange={(value) => void change.set({ visibility: value === '1' ? 1 : 0 }).catch(() => {})}
        data={[
          { value: '0', label: <Choice icon={<LockKeyhole size={16} />} text={texts.private} /> },
          { value: '1', label: <Choice icon={<Globe size={16} />} text={texts.public} /> },
        ]}
      />
      <Text size="sm" c="dimmed" mt={8}>
        {about} {isOpen && file.hasFilePassword && texts.withPassword}
      </Text>
    </section>
  );
}

function Choice({ icon, text }: { icon: React.ReactNode; text: string }) {
  return (
    <Group gap={8} justify="center" wrap="nowrap">
      {icon}
      {text}
    </Group>
  );
}
