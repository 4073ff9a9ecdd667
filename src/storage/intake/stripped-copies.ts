import type { StripPicture } from '../delivery/renditions/strip.ts';
import type { OnConflict } from '../tree/files/conflicts.ts';
import type { StoredFile } from '../tree/files/file.ts';
import type { Files } from '../tree/files/files.ts';
import type { Folder } from '../tree/folders/folder.ts';
import type { Receiver } from './receiver.ts';

/**
 * Copies a picture without its metadata into a folder. The copy is private.
 * @throws Problem as `StripPicture`, `Receiver.receive` and `Files.add`
 */
export type CopyStripped = (
  file: StoredFile,
  folder: Folder,
  options: { onConflict: OnConflict; by: string },
) => Promise<StoredFile>;

interface StrippedCopiesDeps {
  strip: StripPicture;
  files: Pick<Files, 'add'>;
  receiver: Receiver;
  /** Called after a file with new bytes is committed. */
  stored(file: StoredFile): void;
}

export function createCopyStripped({ strip, files, receiver, stored }: StrippedCopiesDeps): CopyStripped {
  return async (file, folder, { onConflict, by }) => {
    const { bytes, name } = await strip(file, by);
    const incoming = { workspaceId: folder.workspaceId, freedBytes: 0, bodyBytes: bytes.length };
    const copy = await receiver.receive(incoming, async (intake) => {
      await intake.write(bytes);
      return {
        hint: { mediaType: null, fileName: name },
        commit: (trx, content, reservationId) =>
          files.add(trx, {
            folder,
            originalName: name,
            content,
            visibility: undefined,
            passwordHash: null,
            withAccessKey: false,
            reservationId,
            by,
            onConflict,
          }),
      };
    });
    stored(copy);
    return copy;
  };
}
