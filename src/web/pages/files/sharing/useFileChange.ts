import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keys } from '../../../api/keys.ts';
import { changeFile, type FileChanges, type FileMetadata } from '../../../api/storage.ts';
import { attempt } from '../../../components/notify.tsx';

/** Changes a file and refreshes every view of it. `set` reports its own errors, and returns whether it succeeded. */
export function useFileChange(id: string) {
  const client = useQueryClient();
  const mutation = useMutation({
    mutationFn: (changes: FileChanges) => changeFile(id, changes),
    onSuccess(file: FileMetadata) {
      client.setQueryData([...keys.file, id], file);
      void client.invalidateQueries({ queryKey: [...keys.files, file.folderId] });
    },
  });
  return {
    busy: mutation.isPending,
    set: (changes: FileChanges) => attempt(() => mutation.mutateAsync(changes)),
  };
}

export type FileChange = ReturnType<typeof useFileChange>;
