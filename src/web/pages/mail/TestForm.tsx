import { Box, Button, Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { sendTestMail, sendTestTelegram, type TestAnswer } from '../../api/mail.ts';
import { errorMessage } from '../../components/ErrorState.tsx';
import { Notice } from '../../components/Notice.tsx';
import { SentNotice } from '../../components/SentNotice.tsx';
import { texts as common } from '../../texts.ts';
import { texts } from './texts.ts';

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
  const form = useForm({ mode: 'controlled', initialValues: { to: '', message: initialMessage } });
  const { to, message } = form.values;
  const test = useMutation({ mutationFn: () => send(to, message) });
  const hasMessage = initialMessage !== '';
  return (
    <Box mt="md">
      <Group align="flex-end" gap="sm">
        <TextInput
          flex="1 1 200px"
          label={label}
          description={description}
          type={type}
          placeholder={placeholder}
          {...form.getInputProps('to')}
        />
        {hasMessage && (
          <TextInput flex="1 1 200px" label={common.message} {...form.getInputProps('message')} />
        )}
        <Button
          disabled={to === '' || (hasMessage && message === '')}
          onClick={() => test.mutate()}
          variant="default"
          leftSection={<Send size={16} />}
          loading={test.isPending}
        >
          {texts.sendTest}
        </Button>
      </Group>
      <Box mt="sm">
        {test.isError && <Notice kind="error">{errorMessage(test.error)}</Notice>}
        {test.data && (
          <SentNotice id={test.data.Id} sandbox={test.data.sandbox} isSent={test.data.Status === 'Sent'} />
        )}
      </Box>
    </Box>
  );
}

/** @param clientId sends as this client; undefined = as the server */
export const MailTestForm = ({ clientId }: { clientId?: string }) => (
  <TestForm
    label={common.to}
    placeholder="you@example.org"
    type="email"
    initialMessage={texts.testText}
    send={(to, text) => sendTestMail({ to, clientId, subject: texts.testSubject, text })}
  />
);

/** @param clientId sends as this client; undefined = as the server */
export const TelegramTestForm = ({ clientId }: { clientId?: string }) => (
  <TestForm
    label={common.chat}
    placeholder="@your_channel"
    description={texts.chatHint}
    initialMessage={common.testMessage}
    send={(to, message) => sendTestTelegram({ to, clientId, message })}
  />
);
