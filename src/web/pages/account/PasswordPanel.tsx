import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { changePassword, useLookAgain } from '../../api/people.ts';
import { useWelcome } from '../../api/session.ts';
import { Panel } from '../../parts/Panel.tsx';
import { tell } from '../../parts/tell.tsx';
import { useFields } from '../../parts/useFields.ts';
import { accountTexts as texts } from '../../texts/people.ts';

/** Changes the password, where passwords are kept here. */
export function PasswordPanel({ email }: { email: string }) {
  const welcome = useWelcome();
  const initial = { currentPassword: '', newPassword: '' };
  const fields = useFields(initial);
  const lookAgain = useLookAgain();
  if (!welcome.data?.localAccounts) return null;
  const submit = fields.submit(async (passwords) => {
    await changePassword(passwords);
    fields.reset(initial);
    tell(texts.changed);
    await lookAgain();
  });
  return (
    <Panel title={texts.password} about={texts.passwordAbout}>
      <form onSubmit={submit}>
        <input type="email" name="email" value={email} autoComplete="username" readOnly hidden />
        <Stack gap="sm" maw={380}>
          <PasswordInput label={texts.current} required autoComplete="current-password" {...fields.text('currentPassword')} />
          <PasswordInput label={texts.new} required autoComplete="new-password" {...fields.text('newPassword')} />
          <Group>
            <Button type="submit" variant="default" loading={fields.busy}>
              {texts.change}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
