import { Button, Group, TextInput } from '@mantine/core';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { sendTestMail, sendTestTelegram, type TestAnswer, useMailChange } from '../../api/mail.ts';
import { TestResult } from './TestResult.tsx';

interface TestFormProps {
  label: string;
  placeholder: string;
  description?: string;
  type?: 'email';
  /** Initial text; without it, there is no field for a text. */
  initialMessage?: string;
  send(to: string, message: string): Promise<TestAnswer>;
}

/** Sends a test message. Not a `form` element, because the template editor is one and contains it. */
export function TestForm({
  label,
  placeholder,
  description,
  type,
  initialMessage = '',
  send,
}: TestFormProps) {
  const [to, setTo] = useState('');
  const [message, setMessage] = useState(initialMessage);
  const [answer, setAnswer] = useState<TestAnswer | null>(null);
  const change = useMailChange();
  const hasMessage = initialMessage !== '';

  function submit() {
    setAnswer(null);
    change.mutate(async () => setAnswer(await send(to, message)));
  }

  return (
    <div className="test-form">
      <Group align="flex-end" gap="sm">
        <TextInput
          className="test-field"
          label={label}
          description={description}
          type={type}
          placeholder={placeholder}
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        {hasMessage && (
          <TextInput
            className="test-field"
            label="Message"
            value={message}
            onChange={(event) => setMessage(event.currentTarget.value)}
          />
        )}
        <Button
          disabled={to === '' || (hasMessage && message === '')}
          onClick={submit}
          variant="default"
          leftSection={<Send size={16} />}
          loading={change.isPending}
        >
          Send test
        </Button>
      </Group>
      {answer && <TestResult answer={answer} />}
    </div>
  );
}

/** @param clientId sends as this client; undefined = as the server */
export const MailTestForm = ({ clientId }: { clientId?: string }) => (
  <TestForm
    label="To"
    placeholder="you@example.org"
    type="email"
    initialMessage="This mail shows that Posthouse can send."
    send={(to, text) => sendTestMail({ to, clientId, subject: 'Test mail from Posthouse', text })}
  />
);

/** @param clientId sends as this client; undefined = as the server */
export const TelegramTestForm = ({ clientId }: { clientId?: string }) => (
  <TestForm
    label="Chat"
    placeholder="@your_channel"
    description="@channel, channel ID or user ID"
    initialMessage="A test message from Posthouse."
    send={(to, message) => sendTestTelegram({ to, clientId, message })}
  />
);
