import { Badge, NumberInput, Progress } from '@mantine/core';
import { HardDrive } from 'lucide-react';
import { useAllWorkspaces, useSetQuota, type WorkspaceOverview } from '../../api/overview.ts';
import { DialogButton } from '../../components/DialogButton.tsx';
import { FormDialog } from '../../components/FormDialog.tsx';
import { Panel } from '../../components/Panel.tsx';
import { QueryRows, Row } from '../../components/Rows.tsx';
import { useApiForm } from '../../components/useApiForm.ts';
import { formatBytes, percentOf } from '../../formats.ts';

const GIBIBYTE = 2 ** 30;

/** The space used by each workspace, and its quota. */
export function WorkspacesPanel() {
  const workspaces = useAllWorkspaces();
  return (
    <Panel title="Storage by workspace" description="Space used by each workspace, and its quota." flush>
      <QueryRows
        query={workspaces}
        label="Storage by workspace"
        row={(workspace) => <WorkspaceRow key={workspace.id} workspace={workspace} />}
      />
    </Panel>
  );
}

function WorkspaceRow({ workspace }: { workspace: WorkspaceOverview }) {
  const { name, usedBytes, maxBytes, ownQuota } = workspace;
  const percent = percentOf(usedBytes, maxBytes);
  return (
    <Row
      icon={<HardDrive size={18} />}
      title={name}
      badges={ownQuota && <Badge color="gray">Own quota</Badge>}
      description={`${formatBytes(usedBytes)} of ${formatBytes(maxBytes)}`}
      actions={
        <DialogButton
          label="Quota"
          icon={null}
          size="xs"
          aria-label={`Quota of ${name}`}
          dialog={(close) => <QuotaDialog workspace={workspace} close={close} />}
        />
      }
    >
      <Progress mt={8} size="xs" value={percent} color={percent > 95 ? 'red' : undefined} aria-label={name} />
    </Row>
  );
}

function QuotaDialog({ workspace, close }: { workspace: WorkspaceOverview; close(): void }) {
  const setQuota = useSetQuota();
  const initial = workspace.ownQuota ? workspace.maxBytes / GIBIBYTE : '';
  const form = useApiForm({ maxBytes: initial as number | string }, async ({ maxBytes }) => {
    await setQuota(workspace.id, maxBytes === '' ? null : Math.round(Number(maxBytes) * GIBIBYTE));
    close();
  });
  return (
    <FormDialog title={`Quota of ${workspace.name}`} form={form} submitLabel="Save" close={close}>
      <NumberInput
        placeholder={formatBytes(workspace.maxBytes)}
        min={0}
        decimalScale={3}
        data-autofocus
        {...form.field('maxBytes', 'Quota in GiB', 'Leave empty to use the server setting.')}
      />
    </FormDialog>
  );
}
