import { Button, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { LogIn, Terminal } from 'lucide-react';
import { loginAddress, useWelcome } from '../api/session.ts';
import { Logo } from '../components/Logo.tsx';

/** Shown without a session: the sign-in button, or how to create the first account. */
export function SignedOut({ hasEnded }: { hasEnded: boolean }) {
  const isFirst = useWelcome().data?.needsFirstAccount;
  const [title, text] = isFirst
    ? [
        'Finish setting up',
        'Open the link printed in the terminal that started the server. It creates the administrator account.',
      ]
    : hasEnded
      ? ['Your session has ended', 'Sign in again to return to this page.']
      : ['Welcome to Posthouse', 'Files, chat and mail for your team and its applications.'];
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
              Sign in
            </Button>
          )}
        </Stack>
      </Paper>
    </Center>
  );
}
