import { Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { invite, type Person, useLookAgain } from '../../api/people.ts';
import type { Me } from '../../api/session.ts';
import { tell } from '../../parts/tell.tsx';
import { useFields } from '../../parts/useFields.ts';
import { common } from '../../texts/common.ts';
import { peopleTexts as texts } from '../../texts/people.ts';

interface InviteDialogProps {
  invited(person: Person & { passwordLink?: string }): void;
  close(): void;
}

/** Makes an account for somebody. */
export function InviteDialog({ invited, close }: InviteDialogProps) {
  const fields = useFields({ email: '', name: '', role: 'user' as Me['role'] });
  const lookAgain = useLookAgain();
  const submit = fields.submit(async ({ email, name, role }) => {
    const person = await invite({ email, name: name === '' ? undefined : name, role });
    await lookAgain();
    tell(texts.invitedTitle(person.email));
    invited(person);
    close();
  });
  return (
    <Modal opened onClose={close} title={texts.invite} centered>
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput label={texts.email} type="email" required data-autofocus autoComplete="off" {...fields.text('email')} />
          <TextInput label={texts.nameOptional} autoComplete="off" {...fields.text('name')} />
          <div>
            <Text size="sm" fw={500} mb={4}>
              {texts.role}
            </Text>
            <SegmentedControl
              fullWidth
              aria-label={texts.role}
              value={fields.values.role}
              onChange={(role) => fields.set('role', role as Me['role'])}
              data={Object.entries(texts.roles).map(([value, label]) => ({ value, label }))}
            />
          </div>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {common.action.cancel}
            </Button>
            <Button type="submit" loading={fields.busy}>
              {texts.inviteButton}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
