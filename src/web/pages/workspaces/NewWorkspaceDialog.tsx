import { TextInput } from '@mantine/core';
import { useWorkspaceAdministration } from '../../api/workspace-administration.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { notify } from '../../components/notify.tsx';
import { useApiForm } from '../../components/useApiForm.ts';
import { texts as common } from '../../texts.ts';
import { adviceAt } from '../files/workspaces/member-advice.ts';
import { texts } from './texts.ts';

interface NewWorkspaceDialogProps {
  /** Initial manager. */
  email: string;
  close(): void;
}

/** Creates a shared workspace for a person. */
export function NewWorkspaceDialog({ email, close }: NewWorkspaceDialogProps) {
  const { create } = useWorkspaceAdministration();
  const form = useApiForm(
    { name: '', manager: email },
    async (values) => {
      await create(values);
      notify(texts.created(values.name));
      close();
    },
    (error) => adviceAt('manager', error),
  );
  return (
    <FormDialog title={common.newWorkspace} form={form} submitLabel={common.create} close={close}>
      <TextInput required data-autofocus maxLength={100} {...form.field('name', common.workspaceName)} />
      <TextInput type="email" required {...form.field('manager', common.manager, texts.managerText)} />
    </FormDialog>
  );
}
