import { Button, Group, Text } from '@mantine/core';
import { MapPinOff } from 'lucide-react';
import { useState } from 'react';
import { changeFile, copyWithoutMetadata, type FileMetadata, pageLink } from '../../../api/storage.ts';
import { copyText } from '../../../components/copy-text.ts';
import { attempt, notify } from '../../../components/notify.tsx';
import { texts } from './texts.ts';

/** The formats in which cameras state the place, as far as the server copies them without it. */
const STATES_PLACE = /^image\/(jpeg|png|webp|avif|heic|heif|tiff)$/;

/**
 * Reports whether the original of a file may state its place. The server does not read the place; pictures of cameras
 * have one, others lost it with their other metadata.
 */
function mayStatePlace({ mimeType, camera, takenAt }: FileMetadata): boolean {
  return STATES_PLACE.test(mimeType) && (camera !== undefined || takenAt !== undefined);
}

/** A hint that the pictures of a link may state their places. */
export const PlacesHint = () => (
  <Text size="xs" c="dimmed">
    {texts.placesKept}
  </Text>
);

/** A hint that a shared original may state its place, with a button that shares a copy without it. */
export function PlaceHint({ file }: { file: FileMetadata }) {
  const [busy, setBusy] = useState(false);
  if (!mayStatePlace(file)) return null;

  async function share() {
    setBusy(true);
    await attempt(async () => {
      const copy = await copyWithoutMetadata(file.id, file.folderId);
      const shared = await changeFile(copy.id, { visibility: 1 });
      const isCopied = await copyText(pageLink(location.origin, shared));
      notify((isCopied ? texts.sharedAsCopied : texts.sharedAs)(shared.originalName));
    });
    setBusy(false);
  }

  return (
    <Group justify="space-between" gap="xs">
      <Text size="xs" c="dimmed" flex={1} miw="12rem">
        {texts.placeKept}
      </Text>
      <Button
        size="xs"
        variant="default"
        leftSection={<MapPinOff size={15} />}
        loading={busy}
        onClick={() => void share()}
      >
        {texts.shareWithoutPlace}
      </Button>
    </Group>
  );
}
