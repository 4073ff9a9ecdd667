import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { Notice } from './Notice.tsx';
import { texts } from './texts.ts';

interface SentNoticeProps {
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
      {sandbox ? texts.inSandbox : isSent ? texts.delivered : texts.willRetry}{' '}
      {url ? (
        <Anchor href={url} target="_blank" rel="noreferrer" size="sm" underline="always">
          {texts.openInChat}
        </Anchor>
      ) : (
        <Anchor component={Link} href={`/admin/messages?message=${id}`} size="sm" underline="always">
          {texts.showMessage}
        </Anchor>
      )}
    </Notice>
  );
}
