import { Checkbox, NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { type ChatClient, changeClient, makeClient, useLookAgainAtChat } from '../../api/chat.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { optionsOf } from '../../components/options.ts';
import { useApiForm } from '../../components/useApiForm.ts';
import { chatTexts as texts } from '../../texts/chat.ts';
import { common } from '../../texts/common.ts';

/** A relay key that was just created, and the name of its client. */
export interface RelayKey {
  name: string;
  key: string;
}

interface ClientDialogProps {
  /** Null creates a client. */
  client: ChatClient | null;
  showKey(key: RelayKey): void;
  close(): void;
}

/** Creates or edits a client. */
export function ClientDialog({ client, showKey, close }: ClientDialogProps) {
  const refresh = useLookAgainAtChat();
  const form = useApiForm(
    {
      name: client?.name ?? '',
      platform: client?.platform ?? 'discord',
      token: '',
      removeToken: false,
      relayKey: false,
    },
    async ({ relayKey, removeToken, token, ...fields }) => {
      const newToken = removeToken ? null : token || undefined;
      const wanted = { ...fields, token: fields.platform === 'sandbox' ? undefined : newToken };
      const saved = client
        ? await changeClient(client.id, wanted)
        : await makeClient({ ...wanted, relayKey });
      if (saved.relayKey) showKey({ name: saved.name, key: saved.relayKey });
      await refresh();
      close();
    },
  );
  const { platform, removeToken } = form.values;
  return (
    <FormDialog
      title={client ? common.editItem(client.name) : texts.newClient}
      form={form}
      submitLabel={client ? common.action.save : common.action.create}
      close={close}
    >
      <TextInput required data-autofocus {...form.field('name', common.name, texts.nameHint)} />
      <NativeSelect data={optionsOf(texts.platforms)} {...form.field('platform', texts.platform)} />
      {platform === 'discord' && (
        <PasswordInput
          autoComplete="off"
          disabled={removeToken}
          {...form.field('token', texts.token, client?.hasToken ? texts.tokenSet : texts.tokenHint)}
        />
      )}
      {platform === 'discord' && client?.hasToken && (
        <Checkbox {...form.checkbox('removeToken', texts.tokenRemove)} />
      )}
      {!client && <Checkbox {...form.checkbox('relayKey', texts.relayKey, texts.relayKeyHint)} />}
    </FormDialog>
  );
}
