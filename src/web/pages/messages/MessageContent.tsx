import { Badge, Group, Text } from '@mantine/core';
import type { MessageDetail, MessagePart } from '../../api/messages.ts';
import { messageTexts as texts } from '../../texts/messages.ts';
import { ChatPost, type Embed } from './ChatPost.tsx';
import { MailContent } from './MailContent.tsx';

/** What was sent, as its kind looks; below it the data as they are. */
export function MessageContent({ message }: { message: MessageDetail }) {
  return (
    <>
      {message.kind === 'email' && <Recipients part={message.parts[0]} />}
      {message.kind === 'email' && <MailContent id={message.id} />}
      {message.kind === 'chat' &&
        message.parts.map(({ part, payload }) => (
          <ChatPost key={part} embeds={(payload as { post?: { embeds?: Embed[] } }).post?.embeds ?? []} />
        ))}
      {message.kind === 'telegram' && <TelegramText payload={message.parts[0]?.payload as { text?: string }} />}
      <details className="raw">
        <summary>{texts.raw}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <pre tabIndex={0}>
          {JSON.stringify(
            message.parts.map(({ payload, result }) => ({ payload, result })),
            null,
            2,
          )}
        </pre>
      </details>
    </>
  );
}

interface EmailFacts {
  recipients?: { address: string; status: 'Queued' | 'Sent' | 'Failed' | 'Unknown'; error: string | null }[];
}

const COLOURS = { Queued: 'blue', Sent: 'green', Failed: 'red', Unknown: 'yellow' };

/** How each recipient fared: as the last attempt left it, or as it was accepted. */
function Recipients({ part }: { part: MessagePart | undefined }) {
  const recipients = (part?.result as EmailFacts | null)?.recipients ?? (part?.payload as EmailFacts | undefined)?.recipients ?? [];
  return (
    <ul className="plain-list" aria-label={texts.recipients}>
      {recipients.map(({ address, status, error }) => (
        <li key={address}>
          <Group gap="xs">
            <Text size="sm">{address}</Text>
            <Badge color={COLOURS[status]}>{status}</Badge>
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
