import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { UserRoundPlus } from 'lucide-react';
import { addMember, MEMBER_ROLES, type MemberRole, useRefreshWorkspaces } from '../../../api/workspaces.ts';
import { optionsOf } from '../../../components/options.ts';
import { useUnsaved } from '../../../components/unsaved.ts';
import { useApiForm } from '../../../components/useApiForm.ts';
import { texts as common } from '../../../texts.ts';
import { adviceAt } from './member-advice.ts';

/** Adds a person to a workspace by the e-mail address of the account. */
export function AddMemberForm({ workspaceId }: { workspaceId: string }) {
  const refresh = useRefreshWorkspaces();
  const form = useApiForm(
    { email: '', role: 'editor' as MemberRole },
    async (member): Promise<void> => {
      await addMember(workspaceId, member);
      // An event can show the new member before the response arrives, so the next address may have been typed already.
      form.setFieldValue('email', (typed) => (typed === member.email ? '' : typed));
      await refresh();
    },
    (error) => adviceAt('email', error),
  );
  useUnsaved(form.isDirty('email'));
  return (
    <form onSubmit={form.submit} autoComplete="off" className="member-form">
      <TextInput type="email" required data-autofocus {...form.field('email', common.emailAddress)} />
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <NativeSelect data={optionsOf(MEMBER_ROLES)} {...form.field('role', common.role)} />
        <Button type="submit" flex="none" loading={form.submitting} leftSection={<UserRoundPlus size={17} />}>
          {common.add}
        </Button>
      </Group>
    </form>
  );
}
