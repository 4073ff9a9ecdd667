import { Group, Text } from '@mantine/core';
import type { MessageDetail, MessagePart, MessageStatus } from '../../api/messages.ts';
import { ScrollableCode } from '../../components/CodeBlock.tsx';
import { StatusBadge } from './badges.tsx';
import { ChatPost, type Embed } from './ChatPost.tsx';
import { MailContent } from './MailContent.tsx';
import { texts } from './texts.ts';

/** The content of a message, rendered for its kind, with the raw data below. */
export function MessageContent({ message: { id, kind, parts } }: { message: MessageDetail }) {
  return (
    <>
      {kind === 'email' && (
        <>
          <Recipients segment={parts[0]} />
          <MailContent id={id} />
        </>
      )}
      {kind === 'chat' &&
        parts.map(({ part, payload }) => (
          <ChatPost key={part} embeds={(payload as { post?: { embeds?: Embed[] } }).post?.embeds ?? []} />
        ))}
      {kind === 'telegram' && <TelegramText payload={parts[0]?.payload as { text?: string }} />}
      <details className="raw">
        <summary>{texts.rawData}</summary>
        <ScrollableCode>
          {JSON.stringify(
            parts.map(({ payload, result }) => ({ payload, result })),
            null,
            2,
          )}
        </ScrollableCode>
      </details>
    </>
  );
}

interface EmailDelivery {
  recipients?: { address: string; status: Capitalize<MessageStatus>; error: string | null }[];
}

/** The status of each recipient after the last attempt; before the first one, as accepted. */
function Recipients({ segment }: { segment: MessagePart | undefined }) {
  const recipientsOf = (data: unknown) => (data as EmailDelivery | null | undefined)?.recipients;
  const recipients = recipientsOf(segment?.result) ?? recipientsOf(segment?.payload) ?? [];
  return (
    <ul className="plain-list" aria-label={texts.recipients}>
      {recipients.map(({ address, status, error }) => (
        <li key={address}>
          <Group gap="xs">
            <Text size="sm">{address}</Text>
            <StatusBadge status={status.toLowerCase() as MessageStatus} sandbox={false} />
          </Group>
          {error && <div className="row-error">{error}</div>}
        </li>
      ))}
    </ul>
  );
}

function TelegramText({ payload }: { payload: { text?: string } | undefined }) {
  return payload?.text ? <div className="chat-post">{payload.text}</div> : null;
}
