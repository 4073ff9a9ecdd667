import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { changePassword, useRefreshAccounts } from '../../api/people.ts';
import { useWelcome } from '../../api/session.ts';
import { notify } from '../../components/notify.tsx';
import { Panel } from '../../components/Panel.tsx';
import { useApiForm } from '../../components/useApiForm.ts';

/** Changes the password, on servers that store passwords. */
export function PasswordPanel({ email }: { email: string }) {
  const welcome = useWelcome();
  const refresh = useRefreshAccounts();
  const form = useApiForm({ currentPassword: '', newPassword: '' }, async (passwords) => {
    await changePassword(passwords);
    form.reset();
    notify('Password changed');
    await refresh();
  });
  if (!welcome.data?.localAccounts) return null;
  return (
    <Panel
      title="Password"
      description="Changing the password ends all other sessions and deletes all tokens."
    >
      <form onSubmit={form.submit}>
        <input type="email" name="email" value={email} autoComplete="username" readOnly hidden />
        <Stack gap="sm" maw={380}>
          <PasswordInput
            required
            autoComplete="current-password"
            {...form.field('currentPassword', 'Current password')}
          />
          <PasswordInput
            required
            autoComplete="new-password"
            {...form.field('newPassword', 'New password')}
          />
          <Group>
            <Button type="submit" variant="default" loading={form.submitting}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
