import { Badge, NativeSelect, Stack } from '@mantine/core';
import { UserRound } from 'lucide-react';
import { useState } from 'react';
import { useMe } from '../../../api/session.ts';
import {
  changeMember,
  MEMBER_ROLES,
  type MemberRole,
  removeMember,
  useMembers,
  useRefreshWorkspaces,
  type Workspace,
  type WorkspaceMember,
} from '../../../api/workspaces.ts';
import { Actions, confirmedAction } from '../../../components/actions.tsx';
import { Dialog } from '../../../components/Dialog.tsx';
import { Notice } from '../../../components/Notice.tsx';
import { notifyError } from '../../../components/notify.tsx';
import { optionsOf } from '../../../components/options.ts';
import { QueryRows, Row } from '../../../components/Rows.tsx';
import { texts as common } from '../../../texts.ts';
import { AddMemberForm } from './AddMemberForm.tsx';
import { memberAdvice } from './member-advice.ts';
import { texts } from './texts.ts';
import { useWorkspaceActions } from './useWorkspaceActions.ts';

interface MembersDialogProps {
  workspace: Workspace;
  close(): void;
}

/** The members of a workspace: add, change the role, remove, leave. */
export function MembersDialog({ workspace, close }: MembersDialogProps) {
  const members = useMembers(workspace.id);
  const accountId = useMe().data?.id;
  const { problem, run } = useMemberChange();
  const { leave } = useWorkspaceActions();

  async function changeRole(member: WorkspaceMember, role: MemberRole) {
    const changed = await run(() => changeMember(workspace.id, member.accountId, role));
    if (changed && member.accountId === accountId && role !== 'manager') close();
  }

  return (
    <Dialog close={close} size="lg" title={texts.membersOf(workspace.name)}>
      <Stack gap="md">
        <AddMemberForm workspaceId={workspace.id} />
        {problem && <Notice kind="error">{problem}</Notice>}
        <QueryRows
          query={members}
          label={texts.members}
          boxed
          row={(member) => (
            <MemberRow
              key={member.accountId}
              member={member}
              isMe={member.accountId === accountId}
              changeRole={(role) => void changeRole(member, role)}
              remove={() => run(() => removeMember(workspace.id, member.accountId))}
              leave={() => leave(workspace)}
            />
          )}
        />
      </Stack>
    </Dialog>
  );
}

/** Runs changes, and keeps the message and remedy of the last refusal. */
function useMemberChange() {
  const [problem, setProblem] = useState<string | null>(null);
  const refresh = useRefreshWorkspaces();
  return {
    problem,
    /** Reports whether the change succeeded. */
    async run(change: () => Promise<unknown>): Promise<boolean> {
      setProblem(null);
      try {
        await change();
        return true;
      } catch (error) {
        const advice = memberAdvice(error);
        if (advice === null) notifyError(error as Error);
        else setProblem(advice);
        return false;
      } finally {
        await refresh();
      }
    },
  };
}

interface MemberRowProps {
  member: WorkspaceMember;
  isMe: boolean;
  changeRole(role: MemberRole): void;
  remove(): Promise<unknown>;
  leave(): Promise<unknown>;
}

function MemberRow({ member: { email, name, role }, isMe, changeRole, remove, leave }: MemberRowProps) {
  const shownName = name || email;
  return (
    <Row
      icon={<UserRound size={18} />}
      title={shownName}
      badges={isMe && <Badge variant="light">{common.you}</Badge>}
      description={name && email}
      actions={
        <>
          <NativeSelect
            size="xs"
            aria-label={texts.roleOf(shownName)}
            value={role}
            onChange={(event) => changeRole(event.currentTarget.value as MemberRole)}
            data={optionsOf(MEMBER_ROLES)}
          />
          <Actions
            name={shownName}
            buttons={[
              isMe
                ? confirmedAction({
                    label: texts.leave,
                    title: texts.leaveTitle,
                    text: texts.leaveText,
                    confirm: leave,
                  })
                : confirmedAction({
                    label: common.remove,
                    ariaLabel: texts.removeNamed(shownName),
                    title: texts.removeTitle(shownName),
                    text: common.removeMemberText,
                    confirm: remove,
                  }),
            ]}
          />
        </>
      }
    />
  );
}
