import { Alert, Anchor } from '@mantine/core';
import { CircleCheck, Clock } from 'lucide-react';
import { Link } from 'wouter';
import type { TestAnswer } from '../../api/mail.ts';
import { mailTexts as texts } from '../../texts/mail.ts';

/** What became of a test, with the way to the message itself. */
export function TestOutcome({ answer }: { answer: TestAnswer }) {
  const isSent = answer.Status === 'Sent';
  const sentence = answer.sandbox ? texts.sandboxed : isSent ? texts.sent : texts.queued;
  return (
    <Alert variant="light" color={isSent ? 'green' : 'yellow'} icon={isSent ? <CircleCheck size={18} /> : <Clock size={18} />} mt="sm">
      {sentence}{' '}
      <Anchor component={Link} href={`/admin/messages?message=${answer.Id}`} size="sm" underline="always">
        {texts.show}
      </Anchor>
    </Alert>
  );
}
