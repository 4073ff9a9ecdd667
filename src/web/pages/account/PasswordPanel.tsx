import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { changePassword, useRefreshAccounts } from '../../api/account.ts';
import { useWelcome } from '../../api/session.ts';
import { notify } from '../../components/notify.tsx';
import { Panel } from '../../components/Panel.tsx';
import { useApiForm } from '../../components/useApiForm.ts';
import { texts as common } from '../../texts.ts';
import { texts } from './texts.ts';

/** Changes the password, on servers that store passwords. */
export function PasswordPanel({ email }: { email: string }) {
  const welcome = useWelcome();
  const refresh = useRefreshAccounts();
  const form = useApiForm(
    { currentPassword: '', newPassword: '' },
    async (passwords): Promise<void> => {
      await changePassword(passwords);
      form.reset();
      notify(texts.passwordChanged);
      await refresh();
    },
    ({ code }) => (code === 'bad_credentials' ? { currentPassword: texts.wrongPassword } : null),
  );
  if (!welcome.data?.localAccounts) return null;
  return (
    <Panel title={common.password} description={texts.passwordText}>
      <form onSubmit={form.submit}>
        <input type="email" name="email" value={email} autoComplete="username" readOnly hidden />
        <Stack gap="sm" maw={380}>
          <PasswordInput
            required
            autoComplete="current-password"
            {...form.field('currentPassword', texts.currentPassword)}
          />
          <PasswordInput
            required
            autoComplete="new-password"
            {...form.field('newPassword', common.newPassword)}
          />
          <Group>
            <Button type="submit" variant="default" loading={form.submitting}>
              {texts.changePassword}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
