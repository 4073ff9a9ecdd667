import { useMutation, useQueryClient } from '@tanstack/react-query';
import { changeFile, type FileChanges, type FileMetadata, keys } from '../../../api/storage.ts';
import { tellError } from '../../../parts/tell.tsx';

/** Sets something of a file, and shows it wherever the file is shown. */
export function useFileChange(id: string) {
  const client = useQueryClient();
  const mutation = useMutation({
    mutationFn: (changes: FileChanges) => changeFile(id, changes),
    onSuccess(file: FileMetadata) {
      client.setQueryData(keys.file(id), file);
      void client.invalidateQueries({ queryKey: keys.files(file.folderId) });
    },
    onError: tellError,
  });
  return { busy: mutation.isPending, set: mutation.mutateAsync };
}

export type FileChange = ReturnType<typeof useFileChange>;
