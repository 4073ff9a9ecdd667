import { Alert, Group, Stack, Text } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { texts as common } from '../texts.ts';
import { CopyButton } from './CopyButton.tsx';
import { texts } from './texts.ts';

interface SecretNoticeProps {
  title: string;
  description: string;
  /** Secrets by name. */
  values: Record<string, string>;
}

/** Secrets that are shown once, with copy buttons. */
export function SecretNotice({ title, description, values }: SecretNoticeProps) {
  return (
    <Alert variant="light" color="yellow" icon={<KeyRound size={18} />} title={title} className="secret">
      <Stack gap="xs">
        <Text size="sm">{description}</Text>
        {Object.entries(values).map(([name, value]) => (
          <div key={name}>
            <Text size="xs" fw={600}>
              {name}
            </Text>
            <Group gap={4} wrap="nowrap" className="boxed secret-value">
              <code data-testid={name}>{value}</code>
              <CopyButton text={value} label={texts.copy(name)} />
            </Group>
          </div>
        ))}
      </Stack>
    </Alert>
  );
}

export const NewTokenNotice = ({ token }: { token: string }) => (
  <SecretNotice title={common.newToken} description={texts.newTokenText} values={{ Token: token }} />
);
