import { Anchor, Checkbox, NativeSelect, PasswordInput, TextInput } from '@mantine/core';
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
  const { platform, removeToken, token } = form.values;
  const inviteLink = platform === 'discord' && inviteLinkOf(token);
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
      {inviteLink && (
        <Anchor href={inviteLink} target="_blank" rel="noreferrer" size="sm">
          Invite this bot to a server
        </Anchor>
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

/** View Channel, Send Messages, Embed Links, Send Messages in Threads. */
const PERMISSIONS = 274_877_926_400;

/** The link that adds the bot of a token to a server: a token begins with the application's ID in base64. */
function inviteLinkOf(token: string): string | null {
  try {
    const id = atob(token.split('.')[0] ?? '');
    if (!/^\d{17,20}$/.test(id)) return null;
    return `https://discord.com/oauth2/authorize?client_id=${id}&scope=bot&permissions=${PERMISSIONS}`;
  } catch {
    return null;
  }
}
