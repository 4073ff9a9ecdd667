import { Text } from '@mantine/core';
import { type MailClient, SERVICES } from '../../api/mail.ts';
import { usePublicUrl } from '../../api/session.ts';
import { CodeBlock, curlOf } from '../../components/CodeBlock.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { texts as common } from '../../texts.ts';
import { texts } from './texts.ts';

/** `curl` commands that send as this client. */
export function RequestDialog({ client, close }: { client: MailClient; close(): void }) {
  const publicUrl = usePublicUrl();
  const signIn = { ClientId: client.id, ClientSecret: 'YOUR_CLIENT_SECRET' };
  const requests = {
    email: {
      path: '/requestemail',
      body: { ...signIn, To: 'you@example.org', Subject: common.hello, Body: common.commandLine },
    },
    telegram: {
      path: '/requesttelegram',
      body: { ...signIn, Recipients: '@your_channel', Message: common.commandLine },
    },
    contact: {
      path: '/sendcontactusform',
      body: { ...signIn, Email: 'visitor@example.org', Message: common.commandLine },
    },
  };
  return (
    <Dialog close={close} title={common.requestFor(client.name)} size="lg">
      <Text size="sm" c="dimmed" mb="xs">
        {texts.curlText}
      </Text>
      {client.services.map((service) => {
        const { path, body } = requests[service];
        return (
          <section key={service} className="request">
            <h3>{SERVICES[service]}</h3>
            <CodeBlock code={curlOf(publicUrl + path, body)} label={texts.copy(SERVICES[service])} />
          </section>
        );
      })}
    </Dialog>
  );
}
