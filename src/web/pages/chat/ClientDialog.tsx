import { Checkbox, NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { type ChatClient, changeClient, makeClient, PLATFORMS, useRefreshChat } from '../../api/chat.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { optionsOf } from '../../components/options.ts';
import { useApiForm } from '../../components/useApiForm.ts';

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
        : await makeClient({ ...settings, relayKey });
      if (saved.relayKey) showKey({ name: saved.name, key: saved.relayKey });
      await refresh();
      close();
    },
  );
  const { platform, removeToken } = form.values;
  return (
    <FormDialog
      title={client ? `Edit ${client.name}` : 'New client'}
      form={form}
      submitLabel={client ? 'Save' : 'Create'}
      close={close}
    >
      <TextInput
        required
        data-autofocus
        {...form.field('name', 'Name', 'Applications send it as clientId.')}
      />
      <NativeSelect data={optionsOf(PLATFORMS)} {...form.field('platform', 'Platform')} />
      {platform === 'discord' && (
        <PasswordInput
          autoComplete="off"
          disabled={removeToken}
          {...form.field(
            'token',
            'Bot token',
            client?.hasToken
              ? 'A token is set. Leave this empty to keep it.'
              : 'From the Discord Developer Portal: Bot, Reset Token. Stored encrypted and never shown again. ' +
                  'Without a token, messages stay in the sandbox.',
          )}
        />
      )}
      {platform === 'discord' && client?.hasToken && (
        <Checkbox {...form.checkbox('removeToken', 'Remove token')} />
      )}
      {!client && (
        <Checkbox
          {...form.checkbox(
            'relayKey',
            'Require a key (X-Relay-Key)',
            'Without a key, anyone who can reach this server and has the IDs can send.',
          )}
        />
      )}
    </FormDialog>
  );
}
