import { Alert, Button, Group, Loader, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import {
  type ChatChannel,
  type ChatClient,
  checkChannel,
  testChannel,
  useRefreshChat,
} from '../../api/chat.ts';
import { keys } from '../../api/keys.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { errorMessage } from '../../components/ErrorState.tsx';
import { Notice } from '../../components/Notice.tsx';
import { SentNotice } from '../../components/SentNotice.tsx';
import { texts as common } from '../../texts.ts';
import { texts } from './texts.ts';

interface TestDialogProps {
  client: ChatClient;
  channel: ChatChannel;
  close(): void;
}

/** Checks whether the bot, if there is one, may post to the channel, and posts a test message. */
export function TestDialog({ client, channel, close }: TestDialogProps) {
  const form = useForm({ mode: 'controlled', initialValues: { message: common.testMessage } });
  const { message } = form.values;
  const refresh = useRefreshChat();
  const test = useMutation({ mutationFn: () => testChannel(channel.id, message), onSettled: refresh });
  return (
    <Dialog close={close} title={common.testNamed(channel.name)}>
      <Stack gap="md">
        {!client.sandbox && <ReachNotice channel={channel} />}
        <Textarea label={common.message} autosize minRows={2} {...form.getInputProps('message')} />
        {test.isError && <Notice kind="error">{errorMessage(test.error)}</Notice>}
        {test.data && <SentNotice {...test.data} isSent={test.data.status === 'sent'} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {common.close}
          </Button>
          <Button loading={test.isPending} disabled={message.trim() === ''} onClick={() => test.mutate()}>
            {texts.send}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function ReachNotice({ channel }: { channel: ChatChannel }) {
  const reach = useQuery({
    queryKey: [...keys.chat, 'reach', channel.id],
    queryFn: () => checkChannel(channel.id),
    staleTime: 0,
    retry: false,
  });
  if (reach.isError) return <Notice kind="error">{errorMessage(reach.error)}</Notice>;
  if (reach.isPending)
    return (
      <Alert variant="light" icon={<Loader size={18} />}>
        {texts.checking}
      </Alert>
    );
  if (reach.data.canSend) return <Notice kind="success">{texts.canPost}</Notice>;
  return (
    <Notice kind="error" title={texts.cannotPost}>
      {reach.data.detail || reach.data.reason}
    </Notice>
  );
}
