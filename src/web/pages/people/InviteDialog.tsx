import { Checkbox, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useRefreshAccounts } from '../../api/account.ts';
import type { useMailDelivery } from '../../api/mail.ts';
import { invite, type Person, ROLES } from '../../api/people.ts';
import type { Me } from '../../api/session.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { notify } from '../../components/notify.tsx';
import { optionsOf } from '../../components/options.ts';
import { useApiForm } from '../../components/useApiForm.ts';
import { texts as common } from '../../texts.ts';
import { notifyMail } from './mail-result.ts';
import { texts } from './texts.ts';

interface InviteDialogProps {
  delivery: ReturnType<typeof useMailDelivery>;
  /** @param link with which the person chooses a password, to be passed on */
  showLink(person: Person, link: string): void;
  close(): void;
}

/** Creates an account for another person. */
export function InviteDialog({ delivery, showLink, close }: InviteDialogProps) {
  const refresh = useRefreshAccounts();
  /** @param choice null = not yet changed */
  const byMail = (choice: boolean | null) => choice ?? delivery === 'server';
  const form = useApiForm(
    { email: '', name: '', role: 'user' as Me['role'], sendMail: null as boolean | null },
    async ({ name, ...values }) => {
      const { passwordLink, mail, ...person } = await invite({
        ...values,
        name: name || undefined,
        sendMail: byMail(values.sendMail),
      });
      await refresh();
      if (!mail) notify(texts.created(person.email));
      const isDelivered = mail !== undefined && notifyMail(mail, person.email);
      if (passwordLink && !isDelivered) showLink(person, passwordLink);
      close();
    },
    ({ code, message }) => (code === 'email_taken' ? { email: message } : null),
  );
  return (
    <FormDialog title={common.invitePerson} form={form} submitLabel={texts.invite} close={close}>
      <TextInput type="email" required data-autofocus {...form.field('email', common.emailAddress)} />
      <TextInput {...form.field('name', texts.nameOptional)} />
      <div>
        <Text size="sm" fw={600} mb={4}>
          {common.role}
        </Text>
        <SegmentedControl
          fullWidth
          aria-label={common.role}
          data={optionsOf(ROLES)}
          {...form.getInputProps('role', { withError: false })}
        />
      </div>
      {delivery && (
        <Checkbox
          label={texts.sendInvitation}
          description={delivery === 'sandbox' && texts.noMailServer}
          checked={byMail(form.values.sendMail)}
          onChange={(event) => form.setFieldValue('sendMail', event.currentTarget.checked)}
        />
      )}
    </FormDialog>
  );
}
