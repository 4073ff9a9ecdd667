import { Alert, Group, Stack, Text } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { CopyButton } from './CopyButton.tsx';

interface SecretProps {
  title: string;
  /** That it is shown this once. */
  about: string;
  /** By name. */
  values: Record<string, string>;
  copy: (name: string) => string;
}

/** Secrets that are shown this once, ready to be copied. */
export function Secret({ title, about, values, copy }: SecretProps) {
  return (
    <Alert variant="light" color="yellow" icon={<KeyRound size={18} />} title={title} className="secret">
      <Stack gap="xs">
        <Text size="sm">{about}</Text>
        {Object.entries(values).map(([name, value]) => (
          <div key={name}>
            <Text size="xs" fw={600}>
              {name}
            </Text>
            <Group gap={4} wrap="nowrap" className="boxed secret-value">
              <code data-testid={name}>{value}</code>
              <CopyButton text={value} label={copy(name)} />
            </Group>
          </div>
        ))}
      </Stack>
    </Alert>
  );
}
