import { Anchor, Box } from '@mantine/core';
import { Link } from 'wouter';
import type { TestAnswer } from '../../api/mail.ts';
import { Notice } from '../../components/Notice.tsx';

/** The result of a test, with a link to the message. */
export function TestResult({ answer: { Id, Status, sandbox } }: { answer: TestAnswer }) {
  const isSent = Status === 'Sent';
  return (
    <Box mt="sm">
      <Notice kind={isSent ? 'success' : 'pending'}>
        {sandbox
          ? 'Stored in the sandbox.'
          : isSent
            ? 'Accepted by the server.'
            : 'Stored. Posthouse will try again.'}{' '}
        <Anchor component={Link} href={`/admin/messages?message=${Id}`} size="sm" underline="always">
          Show message
        </Anchor>
      </Notice>
    </Box>
  );
}
