import { Button, Drawer, Group, Stack, Text } from '@mantine/core';
import { Ban, RotateCw } from 'lucide-react';
import { type MessageDetail, useCancel, useMessage } from '../../api/messages.ts';
import { useNames } from '../../api/names.ts';
import { Loaded } from '../../parts/Loaded.tsx';
import { Time } from '../../parts/Time.tsx';
import { tell } from '../../parts/tell.tsx';
import { messageTexts as texts } from '../../texts/messages.ts';
import { MessageContent } from './MessageContent.tsx';
import { KindIcon, StatusBadge } from './message-signs.tsx';

interface MessagePanelProps {
  id: string;
  resend(id: string): Promise<unknown>;
  close(): void;
}

/** One message whole: what was sent, what came of it, and what can be done about it. */
export function MessagePanel({ id, resend, close }: MessagePanelProps) {
  const message = useMessage(id);
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={620}
      title={
        <Text fw={600} lineClamp={2}>
          {message.data?.title || texts.details}
        </Text>
      }
    >
      <Loaded query={message}>{(data) => <Detail message={data} resend={resend} />}</Loaded>
    </Drawer>
  );
}

function Detail({ message, resend }: { message: MessageDetail; resend: MessagePanelProps['resend'] }) {
  const cancel = useCancel();
  const names = useNames();
  const { id, kind, status, sandbox, clientId, to, parts } = message;
  // A mail server's own words when it took a mail.
  const answers = parts.map(({ result }) => (result as { response?: string } | null)?.response).filter((answer) => answer !== undefined);
  const errors = parts.filter(({ error }) => error !== null);
  return (
    <Stack gap="lg" pb="xl">
      <Group gap="xs">
        <KindIcon kind={kind} />
        <StatusBadge status={status} sandbox={sandbox} />
        <Group gap="xs" ml="auto">
          {status === 'queued' && (
            <Button
              size="xs"
              variant="default"
              leftSection={<Ban size={15} />}
              loading={cancel.isPending}
              onClick={() => cancel.mutate(id, { onSuccess: () => tell(texts.cancelled) })}
            >
              {texts.cancel}
            </Button>
          )}
          {status !== 'queued' && status !== 'unknown' && (
            <Button size="xs" variant="default" leftSection={<RotateCw size={15} />} onClick={() => void resend(id).catch(() => {})}>
              {texts.resend}
            </Button>
          )}
        </Group>
      </Group>
      <dl className="facts">
        {to.length > 0 && (
          <>
            <dt>{texts.to}</dt>
            <dd>{to.map(names.channel).join(', ')}</dd>
          </>
        )}
        {clientId && (
          <>
            <dt>{texts.client}</dt>
            <dd>{names.client(clientId)}</dd>
          </>
        )}
        <dt>{texts.accepted}</dt>
        <dd>
          <Time value={message.dateCreated} />
        </dd>
        <dt>{texts.id}</dt>
        <dd className="address">{id}</dd>
      </dl>
      {errors.length > 0 && (
        <section className="details-section">
          <h2>{texts.peer}</h2>
          {errors.map(({ part, error, errorCode, attempts }) => (
            <div key={part} className="peer-words">
              <Text size="sm">{error}</Text>
              <Text size="xs" c="dimmed">
                {[errorCode, texts.attempts(attempts), parts.length > 1 && texts.part(part + 1, parts.length)].filter(Boolean).join(' · ')}
              </Text>
            </div>
          ))}
        </section>
      )}
      {answers.length > 0 && (
        <section className="details-section">
          <h2>{texts.peer}</h2>
          {answers.map((answer) => (
            <div key={answer} className="peer-words" data-good>
              <Text size="sm">{answer}</Text>
            </div>
          ))}
        </section>
      )}
      <section className="details-section">
        <h2>{sandbox ? texts.sandboxContent : texts.content}</h2>
        <MessageContent message={message} />
      </section>
    </Stack>
  );
}
