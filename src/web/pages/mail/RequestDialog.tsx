import { Modal, Text } from '@mantine/core';
import type { MailClient } from '../../api/mail.ts';
import { CodeBlock } from '../../components/CodeBlock.tsx';
import { common } from '../../texts/common.ts';
import { mailTexts as texts } from '../../texts/mail.ts';

/** `curl` commands that send as this client. */
export function RequestDialog({ client, close }: { client: MailClient; close(): void }) {
  const signIn = { ClientId: client.id, ClientSecret: texts.snippetPlaceholder };
  const requests = {
    email: {
      path: '/requestemail',
      body: { ...signIn, To: 'you@example.org', Subject: 'Hello', Body: 'From the command line' },
    },
    telegram: {
      path: '/requesttelegram',
      body: { ...signIn, Recipients: '@your_channel', Message: 'From the command line' },
    },
    contact: {
      path: '/sendcontactusform',
      body: { ...signIn, Email: 'visitor@example.org', Message: 'From the command line' },
    },
  };
  return (
    <Modal opened onClose={close} title={common.requestFor(client.name)} size="lg">
      <Text size="sm" c="dimmed" mb="xs">
        {texts.requestHint}
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
            <CodeBlock code={code} label={common.copy(texts.services[service])} />
          </section>
        );
      })}
    </Modal>
  );
}
