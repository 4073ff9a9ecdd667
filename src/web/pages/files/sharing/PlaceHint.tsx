import { Button, Group, Text } from '@mantine/core';
import { MapPinOff } from 'lucide-react';
import { useState } from 'react';
import { changeFile, copyWithoutMetadata, type FileMetadata, pageLink } from '../../../api/storage.ts';
import { copyText } from '../../../components/copy-text.ts';
import { attempt, notify } from '../../../components/notify.tsx';
import { texts } from './texts.ts';

/** The formats in which cameras state the place, as far as the server copies them without it. */
const STATES_PLACE = /^image\/(jpeg|png|webp|avif|heic|heif|tiff)$/;

/** Says that a shared original keeps its place, and offers to share a copy without it. */
export function PlaceHint({ file }: { file: FileMetadata }) {
  const [busy, setBusy] = useState(false);
  if (!STATES_PLACE.test(file.mimeType)) return null;

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
