import { Alert, Button, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { MailClient } from '../../api/mail.ts';
import { CodeBlock } from '../../components/CodeBlock.tsx';

interface SnippetDialogProps {
  client: MailClient;
  secret: string | null;
  rotate(): Promise<unknown>;
  close(): void;
}

/** The HTML of a contact form. */
export function SnippetDialog({ client, secret, rotate, close }: SnippetDialogProps) {
  const [busy, setBusy] = useState(false);
  return (
    <Modal opened onClose={close} title={`Form for ${client.name}`} size="lg">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Paste this into a page on one of the allowed origins. The secret is public there. That is safe: this
          client can only send the contact form, from these origins, to these recipients.
        </Text>
        <CodeBlock code={snippet(client.id, secret ?? 'YOUR_CLIENT_SECRET')} label="Copy Form" />
        {secret === null && (
          <Alert variant="light" color="yellow">
            <Stack gap="xs" align="flex-start">
              <Text size="sm">
                The secret is not stored in readable form. Create a new one to include it.
              </Text>
              <Button
                size="xs"
                variant="default"
                loading={busy}
                onClick={() => {
                  setBusy(true);
                  void rotate()
                    .catch(() => {})
                    .finally(() => setBusy(false));
                }}
              >
                Create and include a new secret
              </Button>
            </Stack>
          </Alert>
        )}
      </Stack>
    </Modal>
  );
}

function snippet(clientId: string, secret: string): string {
  return `<form action="${location.origin}/sendcontactusform" method="post">
  <input type="hidden" name="ClientId" value="${clientId}">
  <input type="hidden" name="ClientSecret" value="${secret}">
  <p><label>Name <input name="Name" autocomplete="name"></label></p>
  <p><label>E-mail <input name="Email" type="email" required autocomplete="email"></label></p>
  <p><label>Message <textarea name="Message" rows="6" required></textarea></label></p>
  <!-- Hidden from people; programs that send spam fill it in. -->
  <p hidden><label>Website <input name="Website" tabindex="-1" autocomplete="off"></label></p>
  <button>Send</button>
</form>`;
}
