import { SegmentedControl, Text, TextInput } from '@mantine/core';
import { invite, type Person, useLookAgain } from '../../api/people.ts';
import type { Me } from '../../api/session.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { notify } from '../../components/notify.tsx';
import { optionsOf } from '../../components/options.ts';
import { useApiForm } from '../../components/useApiForm.ts';
import { peopleTexts as texts } from '../../texts/accounts.ts';

interface InviteDialogProps {
  onInvited(person: Person & { passwordLink?: string }): void;
  close(): void;
}

/** Creates an account for another person. */
export function InviteDialog({ onInvited, close }: InviteDialogProps) {
  const refresh = useLookAgain();
  const form = useApiForm(
    { email: '', name: '', role: 'user' as Me['role'] },
    async ({ email, name, role }) => {
      const person = await invite({ email, name: name || undefined, role });
      await refresh();
      notify(texts.created(person.email));
      onInvited(person);
      close();
    },
  );
  return (
    <FormDialog title={texts.invite} form={form} submitLabel={texts.inviteButton} close={close}>
      <TextInput type="email" required data-autofocus {...form.field('email', texts.email)} />
      <TextInput {...form.field('name', texts.nameOptional)} />
      <div>
        <Text size="sm" fw={500} mb={4}>
          {texts.role}
        </Text>
        <SegmentedControl
          fullWidth
          aria-label={texts.role}
          data={optionsOf(texts.roles)}
          {...form.getInputProps('role', { withError: false })}
        />
      </div>
    </FormDialog>
  );
}
