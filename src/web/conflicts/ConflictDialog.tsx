import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { nameKey } from '../../text/name-key.ts';
import { findFileNamed } from '../api/storage.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Facts } from '../components/Facts.tsx';
import { Time } from '../components/Time.tsx';
import { formatBytes } from '../formats.ts';
import type { Choice, Conflict, Question } from './questions.ts';
import { texts } from './texts.ts';

interface ConflictDialogProps {
  question: Question;
  answer(choice: Choice, forAll: boolean): void;
}

/** Asks for a decision about an item whose name is taken. */
export function ConflictDialog({ question: { conflict, hasOthers }, answer }: ConflictDialogProps) {
  const [forAll, setForAll] = useState(false);
  const { kind, name, replaced } = conflict;
  function choose(choice: Choice) {
    setForAll(false);
    answer(choice, forAll);
  }
  const buttons: { choice: Choice; label: string; variant?: string }[] = [
    { choice: 'skip', label: texts.skip, variant: 'default' },
    { choice: 'rename', label: texts.keepBoth, variant: kind === 'file' ? 'default' : undefined },
    ...(kind === 'file' ? [{ choice: 'replace' as const, label: texts.replace }] : []),
  ];
  return (
    <Dialog close={() => choose('skip')} title={texts.exists(name)}>
      <Stack gap="md">
        <Text size="sm">{kind === 'folder' ? texts.keepFolder : FILE[replaced]}</Text>
        {kind === 'file' && <Comparison conflict={conflict} />}
        {hasOthers && (
          <Checkbox
            checked={forAll}
            onChange={(event) => setForAll(event.currentTarget.checked)}
            label={kind === 'file' ? texts.forAllFiles : texts.forAllFolders}
          />
        )}
        <Group justify="flex-end" gap="xs">
          {buttons.map(({ choice, label, variant }) => (
            <Button
              key={choice}
              variant={variant}
              data-autofocus={choice === 'skip' || undefined}
              onClick={() => choose(choice)}
            >
              {label}
            </Button>
          ))}
        </Group>
      </Stack>
    </Dialog>
  );
}

const FILE = {
  version: texts.replaceUpload,
  trash: texts.replaceRestored,
};

/** The sizes of the file that exists and of the new one. */
function Comparison({ conflict: { name, folderId, sizeBytes } }: { conflict: Conflict }) {
  const { data } = useQuery({
    queryKey: ['file-named', folderId, nameKey(name)],
    queryFn: ({ signal }) => (folderId === null ? null : findFileNamed(folderId, name, { signal })),
    staleTime: 0,
  });
  return (
    <Facts
      facts={[
        [
          texts.existingFile,
          data && (
            <>
              {formatBytes(data.sizeBytes)}
              {texts.changed} <Time value={data.dateModified} />
            </>
          ),
        ],
        [texts.newFile, sizeBytes !== null && formatBytes(sizeBytes)],
      ]}
    />
  );
}
