import { NumberInput } from '@mantine/core';
import { useWorkspaceAdministration, type WorkspaceOverview } from '../../api/workspace-administration.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { useApiForm } from '../../components/useApiForm.ts';
import { formatBytes } from '../../formats.ts';
import { texts as common } from '../../texts.ts';
import { texts } from './texts.ts';

const GIBIBYTE = 2 ** 30;

/** Changes the quota of a workspace; empty = the server's default. */
export function QuotaDialog({ workspace, close }: { workspace: WorkspaceOverview; close(): void }) {
  const { setQuota } = useWorkspaceAdministration();
  const initial = workspace.ownQuota ? workspace.maxBytes / GIBIBYTE : '';
  const form = useApiForm({ maxBytes: initial as number | string }, async ({ maxBytes }) => {
    await setQuota(workspace.id, maxBytes === '' ? null : Math.round(Number(maxBytes) * GIBIBYTE));
    close();
  });
  return (
    <FormDialog title={texts.quotaOf(workspace.name)} form={form} submitLabel={common.save} close={close}>
      <NumberInput
        placeholder={formatBytes(workspace.maxBytes)}
        min={0}
        decimalScale={3}
        data-autofocus
        {...form.field('maxBytes', texts.quotaGib, texts.quotaText)}
      />
    </FormDialog>
  );
}
