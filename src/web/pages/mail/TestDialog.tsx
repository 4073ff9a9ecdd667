import { Modal, Stack, Text, Title } from '@mantine/core';
import type { MailClient } from '../../api/mail.ts';
import { MailTestForm, TelegramTestForm } from './TestForm.tsx';

interface TestDialogProps {
  client: MailClient;
  close(): void;
}

/** Sends test messages as this client, with its own mail server or bot if it has one. */
export function TestDialog({ client: { id, name, services, has }, close }: TestDialogProps) {
  return (
    <Modal opened onClose={close} title={`Test ${name}`} size="lg">
      <Stack gap="lg">
        {services.some((service) => service !== 'telegram') && (
          <section>
            <Title order={3}>Mail</Title>
            <Text size="sm" c="dimmed">
              {has.smtp ? 'Uses the mail server of this client.' : 'Uses the mail server of Posthouse.'}
            </Text>
            <MailTestForm clientId={id} />
          </section>
        )}
        {services.includes('telegram') && (
          <section>
            <Title order={3}>Telegram</Title>
            <Text size="sm" c="dimmed">
              {has.telegramToken ? 'Uses the bot of this client.' : 'Uses the bot of Posthouse.'}
            </Text>
            <TelegramTestForm clientId={id} />
          </section>
        )}
      </Stack>
    </Modal>
  );
}
