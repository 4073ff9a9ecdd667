import { Button, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { LogIn, Terminal } from 'lucide-react';
import { loginAddress, useWelcome } from '../api/session.ts';
import { Logo } from '../components/Logo.tsx';
import { texts } from './texts.ts';

/** Shown without a session: the sign-in button, or how to create the first account. */
export function SignedOut({ hasEnded }: { hasEnded: boolean }) {
  const isFirst = useWelcome().data?.needsFirstAccount;
  const [title, text] = isFirst
    ? [texts.setup, texts.setupText]
    : hasEnded
      ? [texts.sessionEnded, texts.sessionEndedText]
      : [texts.welcome, texts.welcomeText];
  return (
    <Center component="main" className="page-centre">
      <Paper withBorder radius="lg" p="xl" maw={420} w="100%" className="surface">
        <Stack align="center" gap="md" ta="center">
          <Logo size={44} />
          <Title order={1}>{title}</Title>
          <Text c="dimmed">{text}</Text>
          {isFirst ? (
            <Terminal size={32} aria-hidden className="dimmed-icon" />
          ) : (
            <Button component="a" href={loginAddress()} size="md" fullWidth leftSection={<LogIn size={18} />}>
              {texts.signIn}
            </Button>
          )}
        </Stack>
      </Paper>
    </Center>
  );
}
