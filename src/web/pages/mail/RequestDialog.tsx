import { Modal, Text } from '@mantine/core';
import { type MailClient, SERVICES } from '../../api/mail.ts';
import { CodeBlock, curlOf } from '../../components/CodeBlock.tsx';

/** `curl` commands that send as this client. */
export function RequestDialog({ client, close }: { client: MailClient; close(): void }) {
  const signIn = { ClientId: client.id, ClientSecret: 'YOUR_CLIENT_SECRET' };
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
    <Modal opened onClose={close} title={`Request for ${client.name}`} size="lg">
      <Text size="sm" c="dimmed" mb="xs">
        Paste this into a terminal and insert the secret.
      </Text>
      {client.services.map((service) => {
        const { path, body } = requests[service];
        return (
          <section key={service} className="request">
            <h3>{SERVICES[service]}</h3>
            <CodeBlock code={curlOf(path, body)} label={`Copy ${SERVICES[service]}`} />
          </section>
        );
      })}
    </Modal>
  );
}
