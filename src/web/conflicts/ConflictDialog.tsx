import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { nameKey } from '../api/name-key.ts';
import { findFileNamed } from '../api/storage.ts';
import { Facts } from '../components/Facts.tsx';
import { Time } from '../components/Time.tsx';
import { formatBytes } from '../formats.ts';
import type { Choice, Conflict, Question } from './questions.ts';

interface ConflictDialogProps {
  question: Question;
  answer(choice: Choice, forAll: boolean): void;
}

/** Lets the person decide about an item whose name is taken. */
export function ConflictDialog({ question: { conflict, hasOthers }, answer }: ConflictDialogProps) {
  const [forAll, setForAll] = useState(false);
  const { kind, name, replaced } = conflict;
  function choose(choice: Choice) {
    setForAll(false);
    answer(choice, forAll);
  }
  const buttons: { choice: Choice; label: string; variant?: string }[] = [
    { choice: 'skip', label: 'Skip', variant: 'default' },
    { choice: 'rename', label: 'Keep both', variant: kind === 'file' ? 'default' : undefined },
    ...(kind === 'file' ? [{ choice: 'replace' as const, label: 'Replace' }] : []),
  ];
  return (
    <Modal opened onClose={() => choose('skip')} title={`“${name}” exists already`}>
      <Stack gap="md">
        <Text size="sm">{kind === 'folder' ? FOLDER : FILE[replaced]}</Text>
        {kind === 'file' && <Comparison conflict={conflict} />}
        {hasOthers && (
          <Checkbox
            checked={forAll}
            onChange={(event) => setForAll(event.currentTarget.checked)}
            label={`Do this for all other ${kind}s whose names are taken`}
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
    </Modal>
  );
}

const FILE = {
  version:
    'Replace it, and its present content becomes a version that you can restore; or keep both, and the new file gets ' +
    'a number.',
  trash: 'Replace it, and it goes to the trash; or keep both, and the restored file gets a number.',
};
const FOLDER = 'Keep both, and the new folder gets a number.';

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
          'Existing file',
          data && (
            <>
              {formatBytes(data.sizeBytes)}, changed <Time value={data.dateModified} />
            </>
          ),
        ],
        ['New file', sizeBytes !== null && formatBytes(sizeBytes)],
      ]}
    />
  );
}
