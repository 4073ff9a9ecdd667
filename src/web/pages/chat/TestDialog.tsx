import { Alert, Anchor, Button, Group, Loader, Modal, Stack, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import {
  type ChatChannel,
  type ChatSent,
  checkChannel,
  testChannel,
  useLookAgainAtChat,
} from '../../api/chat.ts';
import { errorMessage } from '../../components/ErrorState.tsx';
import { Notice } from '../../components/Notice.tsx';
import { chatTexts as texts } from '../../texts/chat.ts';
import { common } from '../../texts/common.ts';

/** Checks whether the bot may post to the channel, and posts a test message. */
export function TestDialog({ channel, close }: { channel: ChatChannel; close(): void }) {
  const [message, setMessage] = useState<string>(texts.testDefault);
  const refresh = useLookAgainAtChat();
  const test = useMutation({ mutationFn: () => testChannel(channel.id, message), onSettled: refresh });
  return (
    <Modal opened onClose={close} title={common.testItem(channel.name)}>
      <Stack gap="md">
        <ReachNotice channel={channel} />
        <Textarea
          label={common.message}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
          autosize
          minRows={2}
        />
        {test.isError && <Notice kind="error">{errorMessage(test.error)}</Notice>}
        {test.data && <SentNotice sent={test.data} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {common.action.close}
          </Button>
          <Button loading={test.isPending} disabled={message.trim() === ''} onClick={() => test.mutate()}>
            {texts.testSend}
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
        {texts.testChecking}
      </Alert>
    );
  if (reach.data.canSend) return <Notice kind="success">{texts.canSend}</Notice>;
  return (
    <Notice kind="error" title={texts.cannotSend}>
      {reach.data.detail || reach.data.reason}
    </Notice>
  );
}

function SentNotice({ sent: { id, status, sandbox, url } }: { sent: ChatSent }) {
  const isSent = status === 'sent';
  return (
    <Notice kind={isSent || sandbox ? 'success' : 'pending'}>
      {sandbox ? common.inSandbox : isSent ? texts.testSent : common.storedForRetry}{' '}
      {url ? (
        <Anchor href={url} target="_blank" rel="noreferrer" size="sm" underline="always">
          {texts.testOpen}
        </Anchor>
      ) : (
        <Anchor component={Link} href={`/admin/messages?message=${id}`} size="sm" underline="always">
          {common.showMessage}
        </Anchor>
      )}
    </Notice>
  );
}
