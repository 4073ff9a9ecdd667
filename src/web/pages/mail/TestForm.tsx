import { Button, Group, TextInput } from '@mantine/core';
import { Send } from 'lucide-react';
import { useState } from 'react';
import type { TestAnswer } from '../../api/mail.ts';
import { useMailChange } from '../../api/mail.ts';
import { mailTexts as texts } from '../../texts/mail.ts';
import { TestOutcome } from './TestOutcome.tsx';

interface TestFormProps {
  label: string;
  placeholder: string;
  about?: string;
  type?: 'email';
  /** What is sent unless it is changed; left out = nothing is to be typed. */
  message?: string;
  send(to: string, message: string): Promise<TestAnswer>;
}

/** Sends something to try it. No form element, since it may stand inside of one. */
export function TestForm({ label, placeholder, about, type, message: first = '', send }: TestFormProps) {
  const [to, setTo] = useState('');
  const [message, setMessage] = useState(first);
  const [answer, setAnswer] = useState<TestAnswer | null>(null);
  const change = useMailChange();

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
          description={about}
          type={type}
          placeholder={placeholder}
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        {first !== '' && (
          <TextInput
            className="test-field"
            label={texts.testText}
            value={message}
            onChange={(event) => setMessage(event.currentTarget.value)}
          />
        )}
        <Button
          disabled={to === '' || (first !== '' && message === '')}
          onClick={submit}
          variant="default"
          leftSection={<Send size={16} />}
          loading={change.isPending}
        >
          {texts.test}
        </Button>
      </Group>
      {answer && <TestOutcome answer={answer} />}
    </div>
  );
}
