import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useLookAgainAtChat } from '../../api/chat.ts';
import { useFields } from '../../parts/useFields.ts';
import { chatTexts as texts } from '../../texts/chat.ts';
import { common } from '../../texts/common.ts';

interface PlaceDialogProps {
  title: string;
  add(place: { platformId: string; name: string }): Promise<unknown>;
  close(): void;
}

/** Adds a guild or a channel by the id that the platform gave it. */
export function PlaceDialog({ title, add, close }: PlaceDialogProps) {
  const fields = useFields({ platformId: '', name: '' });
  const lookAgain = useLookAgainAtChat();
  const submit = fields.submit(async (place) => {
    await add(place);
    await lookAgain();
    close();
  });
  return (
    <Modal opened onClose={close} title={title} centered>
      <form onSubmit={submit} autoComplete="off">
        <Stack gap="md">
          <TextInput label={texts.name} required data-autofocus {...fields.text('name')} />
          <TextInput
            label={texts.platformId}
            description={texts.platformIdAbout}
            required
            inputMode="numeric"
            {...fields.text('platformId')}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {common.action.cancel}
            </Button>
            <Button type="submit" loading={fields.busy}>
              {common.action.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
