import { Alert, Stack, Text } from '@mantine/core';
import type { MailClient } from '../../api/mail.ts';
import { usePublicUrl } from '../../api/session.ts';
import { BusyButton } from '../../components/BusyButton.tsx';
import { CodeBlock } from '../../components/CodeBlock.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { contactSnippet } from './contact-snippet.ts';
import { texts } from './texts.ts';

interface SnippetDialogProps {
  client: MailClient;
  secret: string | null;
  rotate(): Promise<unknown>;
  close(): void;
}

/** The HTML of a contact form. */
export function SnippetDialog({ client, secret, rotate, close }: SnippetDialogProps) {
  const code = contactSnippet(usePublicUrl(), client.id, secret ?? 'YOUR_CLIENT_SECRET');
  return (
    <Dialog close={close} title={texts.formFor(client.name)} size="lg">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {texts.snippetText} {client.redirectUrl ?? texts.thanksPage}.
        </Text>
        <CodeBlock code={code} label={texts.copyForm} />
        {secret === null && (
          <Alert variant="light" color="yellow">
            <Stack gap="xs" align="flex-start">
              <Text size="sm">{texts.secretHashed}</Text>
              <BusyButton size="xs" variant="default" run={() => rotate().catch(() => {})}>
                {texts.includeSecret}
              </BusyButton>
            </Stack>
          </Alert>
        )}
      </Stack>
    </Dialog>
  );
}

/** Explains why there is no HTML for a client whose secret must stay secret. */
export function NoSnippetDialog({ client, close }: Pick<SnippetDialogProps, 'client' | 'close'>) {
  return (
    <Dialog close={close} title={texts.formFor(client.name)}>
      <Text size="sm">{texts.otherPermissions}</Text>
    </Dialog>
  );
}
