import { Alert, Anchor, Button, Group, Loader, Modal, Stack, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { type ChatChannel, type ChatSent, checkChannel, testChannel, useLookAgainAtChat } from '../../api/chat.ts';
import { sentenceOf } from '../../parts/Failure.tsx';
import { chatTexts as texts } from '../../texts/chat.ts';
import { common } from '../../texts/common.ts';

/** Asks the platform whether the bot may post there, and posts. */
export function TestDialog({ channel, close }: { channel: ChatChannel; close(): void }) {
  const [message, setMessage] = useState<string>(texts.testDefault);
  const lookAgain = useLookAgainAtChat();
  const reach = useQuery({ queryKey: ['chat', 'reach', channel.id], queryFn: () => checkChannel(channel.id), staleTime: 0, retry: false });
  const test = useMutation({ mutationFn: () => testChannel(channel.id, message), onSettled: lookAgain });
  return (
    <Modal opened onClose={close} title={texts.testOf(channel.name)} centered>
      <Stack gap="md">
        {reach.isPending && (
          <Alert variant="light" icon={<Loader size={18} />}>
            {texts.testChecking}
          </Alert>
        )}
        {reach.data?.canSend && (
          <Alert variant="light" color="green" icon={<CircleCheck size={18} />}>
            {texts.canSend}
          </Alert>
        )}
        {reach.data && !reach.data.canSend && (
          <Alert variant="light" color="red" icon={<CircleAlert size={18} />} title={texts.cannotSend}>
            {reach.data.detail || reach.data.reason}
          </Alert>
        )}
        {reach.isError && (
          <Alert variant="light" color="red" icon={<CircleAlert size={18} />}>
            {sentenceOf(reach.error)}
          </Alert>
        )}
        <Textarea label={texts.testText} value={message} onChange={(event) => setMessage(event.currentTarget.value)} autosize minRows={2} />
        {test.isError && (
          <Alert variant="light" color="red" icon={<CircleAlert size={18} />}>
            {sentenceOf(test.error)}
          </Alert>
        )}
        {test.data && <Outcome sent={test.data} />}
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

function Outcome({ sent }: { sent: ChatSent }) {
  const sentence = sent.sandbox ? texts.testSandbox : sent.status === 'sent' ? texts.testSent : texts.testQueued;
  return (
    <Alert variant="light" color="green" icon={<CircleCheck size={18} />}>
      {sentence}{' '}
      {sent.url ? (
        <Anchor href={sent.url} target="_blank" rel="noreferrer" size="sm" underline="always">
          {texts.testOpen}
        </Anchor>
      ) : (
        <Anchor component={Link} href={`/admin/messages?message=${sent.id}`} size="sm" underline="always">
          {texts.testShow}
        </Anchor>
      )}
    </Alert>
  );
}
