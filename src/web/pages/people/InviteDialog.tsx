import { SegmentedControl, Text, TextInput } from '@mantine/core';
import { invite, type Person, ROLES, useRefreshAccounts } from '../../api/people.ts';
import type { Me } from '../../api/session.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { notify } from '../../components/notify.tsx';
import { optionsOf } from '../../components/options.ts';
import { useApiForm } from '../../components/useApiForm.ts';

interface InviteDialogProps {
  onInvited(person: Person & { passwordLink?: string }): void;
  close(): void;
}

/** Creates an account for another person. */
export function InviteDialog({ onInvited, close }: InviteDialogProps) {
  const refresh = useRefreshAccounts();
  const form = useApiForm(
    { email: '', name: '', role: 'user' as Me['role'] },
    async ({ email, name, role }) => {
      const person = await invite({ email, name: name || undefined, role });
      await refresh();
      notify(`Created account ${person.email}`);
      onInvited(person);
      close();
    },
  );
  return (
    <FormDialog title="Invite person" form={form} submitLabel="Invite" close={close}>
      <TextInput type="email" required data-autofocus {...form.field('email', 'Email address')} />
      <TextInput {...form.field('name', 'Name (optional)')} />
      <div>
        <Text size="sm" fw={500} mb={4}>
          Role
        </Text>
        <SegmentedControl
          fullWidth
          aria-label="Role"
          data={optionsOf(ROLES)}
          {...form.getInputProps('role', { withError: false })}
        />
      </div>
    </FormDialog>
  );
}
