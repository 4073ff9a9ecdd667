import { Checkbox } from '@mantine/core';
import { useMe } from '../../../api/session.ts';
import type { FileMetadata } from '../../../api/storage.ts';
import { texts } from './texts.ts';
import type { FileChange } from './useFileChange.ts';

/** Chooses whether the page of a file names its sender. */
export function Sender({ file, change }: { file: FileMetadata; change: FileChange }) {
  const me = useMe().data;
  const name = file.sharedBy ?? (me?.name || me?.email);
  if (!name) return null;
  return (
    <Checkbox
      label={texts.showSender(name)}
      checked={file.sharedBy !== null}
      disabled={change.busy}
      onChange={(event) => void change.set({ sharedBy: event.currentTarget.checked ? name : null })}
    />
  );
}
