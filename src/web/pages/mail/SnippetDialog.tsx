import { Alert, Button, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { MailClient } from '../../api/mail.ts';
import { CodeBlock } from '../../components/CodeBlock.tsx';
import { contactSnippet } from './contact-snippet.ts';

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
          Paste this into a page on one of the allowed origins, and adapt its words and colors. The secret is
          public there. That is safe: this client can only send the contact form, from these origins, to these
          recipients. With script, the form answers in place; without, the browser opens{' '}
          {client.redirectUrl ?? 'a page that says thank you'}.
        </Text>
        <CodeBlock code={contactSnippet(client.id, secret ?? 'YOUR_CLIENT_SECRET')} label="Copy Form" />
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

/** Explains why there is no HTML for a client whose secret must stay secret. */
export function NoSnippetDialog({ client, close }: Pick<SnippetDialogProps, 'client' | 'close'>) {
  return (
    <Modal opened onClose={close} title={`Form for ${client.name}`}>
      <Text size="sm">
        This client has other permissions beside the contact form. In a page, its secret would be public and
        would allow these to anyone. Create a client for the contact form alone.
      </Text>
    </Modal>
  );
}
