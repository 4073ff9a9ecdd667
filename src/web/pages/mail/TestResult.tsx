import { Anchor, Box } from '@mantine/core';
import { Link } from 'wouter';
import type { TestAnswer } from '../../api/mail.ts';
import { Notice } from '../../components/Notice.tsx';
import { common } from '../../texts/common.ts';
import { mailTexts as texts } from '../../texts/mail.ts';

/** The result of a test, with a link to the message. */
export function TestResult({ answer: { Id, Status, sandbox } }: { answer: TestAnswer }) {
  const isSent = Status === 'Sent';
  return (
    <Box mt="sm">
      <Notice kind={isSent ? 'success' : 'pending'}>
        {sandbox ? common.inSandbox : isSent ? texts.sent : common.storedForRetry}{' '}
        <Anchor component={Link} href={`/admin/messages?message=${Id}`} size="sm" underline="always">
          {common.showMessage}
        </Anchor>
      </Notice>
    </Box>
  );
}
