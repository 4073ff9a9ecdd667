import { TextInput } from '@mantine/core';
import { useRefreshChat } from '../../api/chat.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { useApiForm } from '../../components/useApiForm.ts';
import { texts as common } from '../../texts.ts';
import { texts } from './texts.ts';

interface AddByIdDialogProps {
  title: string;
  idLabel: string;
  add(target: { platformId: string; name: string }): Promise<unknown>;
  close(): void;
}

/** Adds a guild or a channel by its ID on the platform. */
export function AddByIdDialog({ title, idLabel, add, close }: AddByIdDialogProps) {
  const refresh = useRefreshChat();
  const form = useApiForm({ platformId: '', name: '' }, async (target) => {
    await add(target);
    await refresh();
    close();
  });
  return (
    <FormDialog title={title} form={form} submitLabel={common.create} close={close}>
      <TextInput required data-autofocus {...form.field('name', common.name)} />
      <TextInput required inputMode="numeric" {...form.field('platformId', idLabel, texts.copyId)} />
    </FormDialog>
  );
}
