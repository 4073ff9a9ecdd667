import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { changePassword, useLookAgain } from '../../api/people.ts';
import { useWelcome } from '../../api/session.ts';
import { notify } from '../../components/notify.tsx';
import { Panel } from '../../components/Panel.tsx';
import { useApiForm } from '../../components/useApiForm.ts';
import { accountTexts as texts } from '../../texts/accounts.ts';
import { common } from '../../texts/common.ts';

/** Changes the password, on servers that store passwords. */
export function PasswordPanel({ email }: { email: string }) {
  const welcome = useWelcome();
  const refresh = useLookAgain();
  const form = useApiForm({ currentPassword: '', newPassword: '' }, async (passwords) => {
    await changePassword(passwords);
    form.reset();
    notify(texts.changed);
    await refresh();
  });
  if (!welcome.data?.localAccounts) return null;
  return (
    <Panel title={common.password} description={texts.passwordHint}>
      <form onSubmit={form.submit}>
        <input type="email" name="email" value={email} autoComplete="username" readOnly hidden />
        <Stack gap="sm" maw={380}>
          <PasswordInput
            required
            autoComplete="current-password"
            {...form.field('currentPassword', texts.current)}
          />
          <PasswordInput required autoComplete="new-password" {...form.field('newPassword', texts.new)} />
          <Group>
            <Button type="submit" variant="default" loading={form.submitting}>
              {texts.change}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
