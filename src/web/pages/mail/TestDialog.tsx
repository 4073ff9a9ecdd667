import { Modal, Stack, Text, Title } from '@mantine/core';
import type { MailClient } from '../../api/mail.ts';
import { common } from '../../texts/common.ts';
import { mailTexts as texts } from '../../texts/mail.ts';
import { MailTestForm, TelegramTestForm } from './TestForm.tsx';

interface TestDialogProps {
  client: MailClient;
  close(): void;
}

/** Sends test messages as this client, with its own mail server or bot if it has one. */
export function TestDialog({ client: { id, name, services, has }, close }: TestDialogProps) {
  return (
    <Modal opened onClose={close} title={common.testItem(name)} size="lg">
      <Stack gap="lg">
        {services.some((service) => service !== 'telegram') && (
          <section>
            <Title order={3}>{texts.services.email}</Title>
            <Text size="sm" c="dimmed">
              {has.smtp ? texts.testOwnServer : texts.testDefaultServer}
            </Text>
            <MailTestForm clientId={id} />
          </section>
        )}
        {services.includes('telegram') && (
          <section>
            <Title order={3}>{texts.services.telegram}</Title>
            <Text size="sm" c="dimmed">
              {has.telegramToken ? texts.testOwnBot : texts.testDefaultBot}
            </Text>
            <TelegramTestForm clientId={id} />
          </section>
        )}
      </Stack>
    </Modal>
  );
}
