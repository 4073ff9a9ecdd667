import { Button, Group, Stack, Text } from '@mantine/core';
import { Ban, RotateCw } from 'lucide-react';
import {
  cancel,
  type MessageDetail,
  type MessagePart,
  useMessage,
  useMessageChange,
} from '../../api/messages.ts';
import { useNames } from '../../api/names.ts';
import { SidePanel } from '../../components/Dialog.tsx';
import { Facts } from '../../components/Facts.tsx';
import { notify } from '../../components/notify.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { Time } from '../../components/Time.tsx';
import { countOf } from '../../formats.ts';
import { texts as common } from '../../texts.ts';
import { KindIcon, StatusBadge } from './badges.tsx';
import { MessageContent } from './MessageContent.tsx';
import { texts } from './texts.ts';

interface MessagePanelProps {
  id: string;
  isResending: boolean;
  resend(id: string): void;
  close(): void;
}

/** One message: status, errors, responses and content. */
export function MessagePanel({ id, isResending, resend, close }: MessagePanelProps) {
  const message = useMessage(id);
  return (
    <SidePanel
      close={close}
      size={620}
      title={
        <Text fw={600} lineClamp={2}>
          {message.data?.title || common.message}
        </Text>
      }
    >
      <QueryContent query={message}>
        {(data) => (
          <Stack gap="lg" pb="xl">
            <Header message={data} isResending={isResending} resend={resend} />
            <MessageFacts message={data} />
            <Responses segments={data.parts} />
            <section className="details-section">
              <h2>{data.sandbox ? texts.contentNotSent : common.content}</h2>
              <MessageContent message={data} />
            </section>
          </Stack>
        )}
      </QueryContent>
    </SidePanel>
  );
}

interface HeaderProps extends Pick<MessagePanelProps, 'isResending' | 'resend'> {
  message: MessageDetail;
}

function Header({ message: { id, kind, status, sandbox }, isResending, resend }: HeaderProps) {
  const change = useMessageChange();
  return (
    <Group gap="xs">
      <KindIcon kind={kind} />
      <StatusBadge status={status} sandbox={sandbox} />
      <Group gap="xs" ml="auto">
        {status === 'queued' && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Ban size={15} />}
            loading={change.isPending}
            onClick={() => change.mutate(() => cancel(id), { onSuccess: () => notify(texts.cancelled) })}
          >
            {common.cancel}
          </Button>
        )}
        {status !== 'queued' && status !== 'unknown' && (
          <Button
            size="xs"
            variant="default"
            leftSection={<RotateCw size={15} />}
            loading={isResending}
            onClick={() => resend(id)}
          >
            {texts.sendAgain}
          </Button>
        )}
      </Group>
    </Group>
  );
}

function MessageFacts({ message: { id, clientId, to, dateCreated } }: { message: MessageDetail }) {
  const names = useNames();
  return (
    <Facts
      facts={[
        [common.to, to.length > 0 && to.map(names.channel).join(', ')],
        [texts.client, clientId && names.client(clientId)],
        [common.accepted, <Time key="time" value={dateCreated} />],
        [
          texts.id,
          <span key="id" className="address">
            {id}
          </span>,
        ],
      ]}
    />
  );
}

/** The errors of the segments, and the responses of mail servers that accepted one. */
function Responses({ segments }: { segments: readonly MessagePart[] }) {
  const errors = segments.filter(({ error }) => error !== null);
  const accepted = segments
    .map(({ result }) => (result as { response?: string } | null)?.response)
    .filter((response) => response !== undefined);
  if (errors.length === 0 && accepted.length === 0) return null;
  return (
    <section className="details-section">
      <h2>{texts.response}</h2>
      {errors.map(({ part, error, errorCode, attempts }) => (
        <div key={part} className="response">
          <Text size="sm">{error}</Text>
          <Text size="xs" c="dimmed">
            {[
              errorCode,
              countOf(attempts, 'attempt'),
              segments.length > 1 && texts.segmentOf(part + 1, segments.length),
            ]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </div>
      ))}
      {accepted.map((response, index) => (
        <div key={index} className="response" data-good>
          <Text size="sm">{response}</Text>
        </div>
      ))}
    </section>
  );
}
