import { Button, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { LogIn } from 'lucide-react';
import { loginAddress } from '../api/session.ts';
import { hasDraft } from '../components/drafts.ts';
import { Logo } from '../components/Logo.tsx';
import { texts } from './texts.ts';

/** Shown after the end of a session. */
export const SignedOut = () => (
  <Center component="main" className="page-centre">
    <Paper withBorder radius="lg" p="xl" maw={420} w="100%" className="surface">
      <Stack align="center" gap="md" ta="center">
        <Logo size={44} />
        <Title order={1}>{texts.sessionEnded}</Title>
        <Text c="dimmed">{hasDraft() ? texts.draftKept : texts.sessionEndedText}</Text>
        <Button component="a" href={loginAddress()} size="md" fullWidth leftSection={<LogIn size={18} />}>
          {texts.signIn}
        </Button>
      </Stack>
    </Paper>
  </Center>
);
