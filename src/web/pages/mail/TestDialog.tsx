import { Modal, Stack, Text, Title } from '@mantine/core';
import { type MailClient, sendTestMail, sendTestTelegram } from '../../api/mail.ts';
import { mailTexts as texts } from '../../texts/mail.ts';
import { TestForm } from './TestForm.tsx';

/** Sends as this client: with its sender, and over its own server or bot where it has one. */
export function TestDialog({ client: { id, name, services, has }, close }: { client: MailClient; close(): void }) {
  return (
    <Modal opened onClose={close} title={texts.testOf(name)} size="lg" centered>
      <Stack gap="lg">
        {services.some((service) => service !== 'telegram') && (
          <section>
            <Title order={3}>{texts.services.email}</Title>
            <Text size="sm" c="dimmed">
              {has.smtp ? texts.testOwnServer : texts.testDefaultServer}
            </Text>
            <TestForm
              label={texts.testTo}
              placeholder="you@example.org"
              type="email"
              message={texts.testMailText}
              send={(to, text) => sendTestMail({ to, clientId: id, subject: texts.testMailSubject, text })}
            />
          </section>
        )}
        {services.includes('telegram') && (
          <section>
            <Title order={3}>{texts.services.telegram}</Title>
            <Text size="sm" c="dimmed">
              {has.telegramToken ? texts.testOwnBot : texts.testDefaultBot}
            </Text>
            <TestForm
              label={texts.testTelegramTo}
              placeholder="@your_channel"
              about={texts.testTelegramAbout}
              message={texts.testTelegram}
              send={(to, message) => sendTestTelegram({ to, clientId: id, message })}
            />
          </section>
        )}
      </Stack>
    </Modal>
  );
}
