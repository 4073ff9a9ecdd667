import { Checkbox, NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { type ChatClient, changeClient, createClient, PLATFORMS, useRefreshChat } from '../../api/chat.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { notify } from '../../components/notify.tsx';
import { optionsOf } from '../../components/options.ts';
import { useApiForm } from '../../components/useApiForm.ts';
import { texts as common } from '../../texts.ts';
import { texts } from './texts.ts';

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
  const refresh = useRefreshChat();
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
      const settings = { ...fields, token: fields.platform === 'sandbox' ? undefined : newToken };
      const saved = client
        ? await changeClient(client.id, settings)
        : await createClient({ ...settings, relayKey });
      if (saved.relayKey) showKey({ name: saved.name, key: saved.relayKey });
      await refresh();
      if (saved.tokenChecked === false) notify(texts.tokenUnchecked);
      close();
    },
  );
  const { platform, removeToken } = form.values;
  return (
    <FormDialog
      title={client ? common.editNamed(client.name) : common.newClient}
      form={form}
      submitLabel={client ? common.save : common.create}
      close={close}
    >
      <TextInput required data-autofocus {...form.field('name', common.name, texts.nameText)} />
      <NativeSelect data={optionsOf(PLATFORMS)} {...form.field('platform', texts.platform)} />
      {platform === 'discord' && (
        <PasswordInput
          autoComplete="off"
          disabled={removeToken}
          {...form.field('token', common.botToken, client?.hasToken ? texts.tokenSet : texts.tokenText)}
        />
      )}
      {platform === 'discord' && client?.hasToken && (
        <Checkbox {...form.checkbox('removeToken', texts.removeToken)} />
      )}
      {!client && <Checkbox {...form.checkbox('relayKey', texts.requireKey, texts.requireKeyText)} />}
    </FormDialog>
  );
}
