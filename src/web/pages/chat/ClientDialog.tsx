import { Button, Checkbox, Group, Modal, NativeSelect, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type ChatClient, changeClient, makeClient, useLookAgainAtChat } from '../../api/chat.ts';
import { useFields } from '../../parts/useFields.ts';
import { chatTexts as texts } from '../../texts/chat.ts';
import { common } from '../../texts/common.ts';
import type { NewRelayKey } from './ChatPage.tsx';

interface ClientDialogProps {
  /** Null = a new one. */
  client: ChatClient | null;
  showKey(key: NewRelayKey): void;
  close(): void;
}

/** Makes or changes a client. The token goes in and is never shown. */
export function ClientDialog({ client, showKey, close }: ClientDialogProps) {
  const lookAgain = useLookAgainAtChat();
  const fields = useFields({
    name: client?.name ?? '',
    platform: client?.platform ?? ('discord' as string),
    token: '',
    removeToken: false,
    relayKey: false,
  });
  const submit = fields.submit(async ({ name, platform, token, removeToken, relayKey }) => {
    const isSandbox = platform === 'sandbox';
    const tokenChange = removeToken ? null : token === '' ? undefined : token;
    const wanted = { name, platform: isSandbox ? ('sandbox' as const) : ('discord' as const), token: isSandbox ? undefined : tokenChange };
    const saved = client ? await changeClient(client.id, wanted) : await makeClient({ ...wanted, relayKey });
    if (saved.relayKey) showKey({ name: saved.name, key: saved.relayKey });
    await lookAgain();
    close();
  });
  const { platform, removeToken } = fields.values;
  return (
    <Modal opened onClose={close} title={client ? texts.editClient(client.name) : texts.newClient} centered>
      <form onSubmit={submit} autoComplete="off">
        <Stack gap="md">
          <TextInput label={texts.name} description={texts.nameAbout} required data-autofocus {...fields.text('name')} />
          <NativeSelect
            label={texts.platform}
            data={Object.entries(texts.platforms).map(([value, label]) => ({ value, label }))}
            {...fields.text('platform')}
          />
          {platform === 'discord' && (
            <PasswordInput
              label={texts.token}
              description={client?.hasToken ? texts.tokenKept : `${texts.tokenAbout} ${texts.tokenNone}`}
              autoComplete="off"
              disabled={removeToken}
              {...fields.text('token')}
            />
          )}
          {platform === 'discord' && client?.hasToken && <Checkbox label={texts.tokenRemove} {...fields.box('removeToken')} />}
          {!client && <Checkbox label={texts.relayKey} description={texts.relayKeyAbout} {...fields.box('relayKey')} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {common.action.cancel}
            </Button>
            <Button type="submit" loading={fields.busy}>
              {client ? common.action.save : common.action.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
