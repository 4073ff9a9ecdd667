import { Badge, Button, NumberInput, Progress } from '@mantine/core';
import { HardDrive } from 'lucide-react';
import { useState } from 'react';
import { useSetQuota, useWorkspaces, type WorkspaceOverview } from '../../api/overview.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { Panel } from '../../components/Panel.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { Row, Rows } from '../../components/Rows.tsx';
import { useApiForm } from '../../components/useApiForm.ts';
import { formatBytes, percentOf } from '../../formats.ts';
import { common } from '../../texts/common.ts';
import { homeTexts as texts } from '../../texts/home.ts';

const GIGABYTE = 2 ** 30;

/** The space used by each workspace, and its quota. */
export function WorkspacesPanel() {
  const workspaces = useWorkspaces();
  return (
    <Panel title={texts.workspaces} description={texts.workspacesHint} flush>
      <QueryContent query={workspaces}>
        {(list) => (
          <Rows label={texts.workspaces}>
            {list.map((workspace) => (
              <WorkspaceRow key={workspace.id} workspace={workspace} />
            ))}
          </Rows>
        )}
      </QueryContent>
    </Panel>
  );
}

function WorkspaceRow({ workspace }: { workspace: WorkspaceOverview }) {
  const { name, usedBytes, maxBytes, ownQuota } = workspace;
  const [editing, setEditing] = useState(false);
  const percent = percentOf(usedBytes, maxBytes);
  return (
    <Row
      icon={<HardDrive size={18} />}
      title={name}
      badges={ownQuota && <Badge color="gray">{texts.ownQuota}</Badge>}
      description={texts.usedOf(formatBytes(usedBytes), formatBytes(maxBytes))}
      actions={
        <Button size="xs" variant="default" aria-label={texts.quotaOf(name)} onClick={() => setEditing(true)}>
          {texts.quota}
        </Button>
      }
    >
      <Progress mt={8} size="xs" value={percent} color={percent > 95 ? 'red' : undefined} aria-label={name} />
      {editing && <QuotaDialog workspace={workspace} close={() => setEditing(false)} />}
    </Row>
  );
}

function QuotaDialog({ workspace, close }: { workspace: WorkspaceOverview; close(): void }) {
  const setQuota = useSetQuota();
  const initial = workspace.ownQuota ? workspace.maxBytes / GIGABYTE : '';
  const form = useApiForm({ maxBytes: initial as number | string }, async ({ maxBytes }) => {
    await setQuota(workspace.id, maxBytes === '' ? null : Math.round(Number(maxBytes) * GIGABYTE));
    close();
  });
  return (
    <FormDialog
      title={texts.quotaOf(workspace.name)}
      form={form}
      submitLabel={common.action.save}
      close={close}
    >
      <NumberInput
        placeholder={formatBytes(workspace.maxBytes)}
        min={0}
        decimalScale={3}
        data-autofocus
        {...form.field('maxBytes', texts.quotaUnit, texts.quotaHint)}
      />
    </FormDialog>
  );
}
