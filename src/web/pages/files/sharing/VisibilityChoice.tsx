import { Group, SegmentedControl, Text } from '@mantine/core';
import { Globe, LockKeyhole } from 'lucide-react';
import type { FileMetadata } from '../../../api/storage.ts';
import { sharingTexts as texts } from '../../../texts/sharing.ts';
import type { FileChange } from './useFileChange.ts';

/** Makes a file public or private, and explains who can open it. */
export function VisibilityChoice({ file, change }: { file: FileMetadata; change: FileChange }) {
  return (
    <section className="details-section">
      <h2>{texts.visibility}</h2>
      <SegmentedControl
        fullWidth
        aria-label={texts.visibility}
        value={String(file.visibility)}
        disabled={change.busy}
        onChange={(value) => void change.set({ visibility: value === '1' ? 1 : 0 })}
        data={[
          { value: '0', label: <Choice icon={<LockKeyhole size={16} />} text={texts.private} /> },
          { value: '1', label: <Choice icon={<Globe size={16} />} text={texts.public} /> },
        ]}
      />
      <Text size="sm" c="dimmed" mt={8}>
        {hintFor(file)}
      </Text>
    </section>
  );
}

function hintFor({ visibility, hasAccessKey, hasFilePassword }: FileMetadata): string {
  if (visibility === 0 && !hasAccessKey) return texts.privateHint;
  const hint = hasAccessKey ? texts.keyHint : texts.publicHint;
  return hasFilePassword ? `${hint} ${texts.passwordHint}` : hint;
}

const Choice = ({ icon, text }: { icon: React.ReactNode; text: string }) => (
  <Group gap={8} justify="center" wrap="nowrap">
    {icon}
    {text}
  </Group>
);
