import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { Notice } from './Notice.tsx';

interface SentNoticeProps {
  /** ID of the message. */
  id: string;
  sandbox?: boolean;
  isSent: boolean;
  /** Address of the message on its platform, if it is known. */
  url?: string | null;
}

/** The result of a test message, with a link to it. */
export function SentNotice({ id, sandbox = false, isSent, url }: SentNoticeProps) {
  return (
    <Notice kind={isSent || sandbox ? 'success' : 'pending'}>
      {sandbox ? 'Stored in the sandbox.' : isSent ? 'Delivered.' : 'Stored. Posthouse will try again.'}{' '}
      {url ? (
        <Anchor href={url} target="_blank" rel="noreferrer" size="sm" underline="always">
          Open in chat
        </Anchor>
      ) : (
        <Anchor component={Link} href={`/admin/messages?message=${id}`} size="sm" underline="always">
          Show message
        </Anchor>
      )}
    </Notice>
  );
}
