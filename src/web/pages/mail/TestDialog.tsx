import { Stack, Text, Title } from '@mantine/core';
import type { MailClient } from '../../api/mail.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { texts as common } from '../../texts.ts';
import { MailTestForm, TelegramTestForm } from './TestForm.tsx';
import { texts } from './texts.ts';

interface TestDialogProps {
  client: MailClient;
  close(): void;
}

/** Sends test messages as this client, with its own mail server or bot if it has one. */
export function TestDialog({ client: { id, name, services, has }, close }: TestDialogProps) {
  return (
    <Dialog close={close} title={common.testNamed(name)} size="lg">
      <Stack gap="lg">
        {services.some((service) => service !== 'telegram') && (
          <section>
            <Title order={3}>{common.mail}</Title>
            <Text size="sm" c="dimmed">
              {has.smtp ? texts.clientServer : texts.ourServer}
            </Text>
            <MailTestForm clientId={id} />
          </section>
        )}
        {services.includes('telegram') && (
          <section>
            <Title order={3}>{common.telegram}</Title>
            <Text size="sm" c="dimmed">
              {has.telegramToken ? texts.clientBot : texts.ourBot}
            </Text>
            <TelegramTestForm clientId={id} />
          </section>
        )}
      </Stack>
    </Dialog>
  );
}
