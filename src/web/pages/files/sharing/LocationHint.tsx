import { Group, Text } from '@mantine/core';
import { MapPinOff } from 'lucide-react';
import { usePublicUrl } from '../../../api/session.ts';
import { changeFile, copyWithoutMetadata, type FileMetadata, pageLink } from '../../../api/storage.ts';
import { BusyButton } from '../../../components/BusyButton.tsx';
import { copyText } from '../../../components/copy-text.ts';
import { attempt, notify } from '../../../components/notify.tsx';
import { texts } from './texts.ts';

/** Formats that can contain a location, and that the server can copy without it. */
const LOCATABLE = /^image\/(jpeg|png|webp|avif|heic|heif|tiff)$/;

/**
 * Reports whether a file may contain the location where it was taken. The server does not read locations, so that one
 * is assumed if the file has other metadata from a camera: programs that remove the location usually remove all.
 */
function mayHaveLocation({ mimeType, camera, takenAt }: FileMetadata): boolean {
  return LOCATABLE.test(mimeType) && (camera !== undefined || takenAt !== undefined);
}

/** A hint that the pictures of a link may contain their locations. */
export const LocationsHint = () => (
  <Text size="xs" c="dimmed">
    {texts.locationsKept}
  </Text>
);

/** A hint that a shared original may contain its location, with a button that shares a copy without metadata. */
export function LocationHint({ file }: { file: FileMetadata }) {
  const origin = usePublicUrl();
  if (!mayHaveLocation(file)) return null;

  const share = () =>
    attempt(async () => {
      const copy = await copyWithoutMetadata(file.id, file.folderId);
      const shared = await changeFile(copy.id, { visibility: 1 });
      const isCopied = await copyText(pageLink(origin, shared));
      notify((isCopied ? texts.sharedAsCopied : texts.sharedAs)(shared.originalName));
    });

  return (
    <Group justify="space-between" gap="xs">
      <Text size="xs" c="dimmed" flex={1} miw="12rem">
        {texts.locationKept}
      </Text>
      <BusyButton size="xs" variant="default" leftSection={<MapPinOff size={15} />} run={share}>
        {texts.shareWithoutMetadata}
      </BusyButton>
    </Group>
  );
}
