import { Modal, Text } from '@mantine/core';
import type { MailClient } from '../../api/mail.ts';
import { CodeBlock } from '../../parts/CodeBlock.tsx';
import { mailTexts as texts } from '../../texts/mail.ts';

/** A request that sends with this client, ready to paste. */
export function RequestDialog({ client, close }: { client: MailClient; close(): void }) {
  const signIn = { ClientId: client.id, ClientSecret: texts.snippetPlaceholder };
  const requests = {
    email: { path: '/requestemail', body: { ...signIn, To: 'you@example.org', Subject: 'Hello', Body: 'From the command line' } },
    telegram: { path: '/requesttelegram', body: { ...signIn, Recipients: '@your_channel', Message: 'From the command line' } },
    contact: { path: '/sendcontactusform', body: { ...signIn, Email: 'visitor@example.org', Message: 'From the command line' } },
  };
  return (
    <Modal opened onClose={close} title={texts.requestOf(client.name)} size="lg" centered>
      <Text size="sm" c="dimmed" mb="xs">
        {texts.requestAbout}
      </Text>
      {client.services.map((service) => {
        const { path, body } = requests[service];
        const code = [
          `curl ${location.origin}${path}`,
          "-H 'Content-Type: application/json'",
          `-d '${JSON.stringify(body, null, 2)}'`,
        ].join(' \\\n  ');
        return (
          <section key={service} className="request">
            <h3>{texts.services[service]}</h3>
            <CodeBlock code={code} label={texts.copy(texts.services[service])} />
          </section>
        );
      })}
    </Modal>
  );
}
