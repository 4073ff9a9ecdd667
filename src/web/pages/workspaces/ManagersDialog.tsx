import { Button, Stack, TextInput } from '@mantine/core';
import { UserRound, UserRoundPlus } from 'lucide-react';
import { useWorkspaceAdministration, type WorkspaceOverview } from '../../api/workspace-administration.ts';
import { Actions, confirmedAction } from '../../components/actions.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { runReported } from '../../components/notify.tsx';
import { Row, Rows } from '../../components/Rows.tsx';
import { useUnsaved } from '../../components/unsaved.ts';
import { useApiForm } from '../../components/useApiForm.ts';
import { texts as common } from '../../texts.ts';
import { adviceAt, withMemberAdvice } from '../files/workspaces/member-advice.ts';
import { texts } from './texts.ts';

interface ManagersDialogProps {
  workspace: WorkspaceOverview;
  close(): void;
}

/** The managers of a shared workspace: add, remove. */
export function ManagersDialog({ workspace: { id, name, managers }, close }: ManagersDialogProps) {
  const { addManager, removeManager } = useWorkspaceAdministration();
  const form = useApiForm(
    { email: '' },
    async (manager): Promise<void> => {
      await addManager(id, manager.email);
      // An event can show the new manager before the response arrives, so the next address may have been typed already.
      form.setFieldValue('email', (typed) => (typed === manager.email ? '' : typed));
    },
    (error) => adviceAt('email', error),
  );
  useUnsaved(form.isDirty());
  return (
    <Dialog close={close} size="lg" title={texts.managersTitle(name)}>
      <Stack gap="md">
        <p className="dialog-text">{texts.managersText}</p>
        <form onSubmit={form.submit} autoComplete="off" className="member-form">
          <TextInput type="email" required data-autofocus {...form.field('email', common.emailAddress)} />
          <Button type="submit" loading={form.submitting} leftSection={<UserRoundPlus size={17} />}>
            {common.add}
          </Button>
        </form>
        <Rows label={texts.managers} boxed>
          {managers.map((manager) => (
            <ManagerRow
              key={manager.accountId}
              manager={manager}
              remove={() => withMemberAdvice(() => removeManager(id, manager.accountId))}
            />
          ))}
        </Rows>
      </Stack>
    </Dialog>
  );
}

interface ManagerRowProps {
  manager: WorkspaceOverview['managers'][number];
  remove(): Promise<unknown>;
}

function ManagerRow({ manager: { email, name, disabled }, remove }: ManagerRowProps) {
  const shownName = name || email;
  return (
    <Row
      icon={<UserRound size={18} />}
      title={shownName}
      description={name && email}
      disabled={disabled}
      actions={
        <Actions
          name={shownName}
          buttons={[
            confirmedAction({
              label: common.remove,
              ariaLabel: texts.removeNamed(shownName),
              title: texts.removeTitle(shownName),
              text: common.removeMemberText,
              confirm: () => runReported(remove),
            }),
          ]}
        />
      }
    />
  );
}
