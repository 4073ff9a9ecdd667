import { Alert, Button, Group, Loader, Modal, Stack, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ChatChannel, checkChannel, testChannel, useRefreshChat } from '../../api/chat.ts';
import { errorMessage } from '../../components/ErrorState.tsx';
import { Notice } from '../../components/Notice.tsx';
import { SentNotice } from '../../components/SentNotice.tsx';

/** Checks whether the bot may post to the channel, and posts a test message. */
export function TestDialog({ channel, close }: { channel: ChatChannel; close(): void }) {
  const [message, setMessage] = useState<string>('A test message from Posthouse.');
  const refresh = useRefreshChat();
  const test = useMutation({ mutationFn: () => testChannel(channel.id, message), onSettled: refresh });
  return (
    <Modal opened onClose={close} title={`Test ${channel.name}`}>
      <Stack gap="md">
        <ReachNotice channel={channel} />
        <Textarea
          label="Message"
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
          autosize
          minRows={2}
        />
        {test.isError && <Notice kind="error">{errorMessage(test.error)}</Notice>}
        {test.data && <SentNotice {...test.data} isSent={test.data.status === 'sent'} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Close
          </Button>
          <Button loading={test.isPending} disabled={message.trim() === ''} onClick={() => test.mutate()}>
            Send
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function ReachNotice({ channel }: { channel: ChatChannel }) {
  const reach = useQuery({
    queryKey: ['chat', 'reach', channel.id],
    queryFn: () => checkChannel(channel.id),
    staleTime: 0,
    retry: false,
  });
  if (reach.isError) return <Notice kind="error">{errorMessage(reach.error)}</Notice>;
  if (reach.isPending)
    return (
      <Alert variant="light" icon={<Loader size={18} />}>
        Checking permissions …
      </Alert>
    );
  if (reach.data.canSend) return <Notice kind="success">The bot can post here.</Notice>;
  return (
    <Notice kind="error" title="The bot cannot post here">
      {reach.data.detail || reach.data.reason}
    </Notice>
  );
}
