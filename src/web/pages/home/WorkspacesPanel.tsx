import { Badge, Button, Group, Modal, NumberInput, Progress } from '@mantine/core';
import { HardDrive } from 'lucide-react';
import { useState } from 'react';
import { useSetQuota, useWorkspaces, type WorkspaceOverview } from '../../api/overview.ts';
import { formatBytes, percentOf } from '../../formats.ts';
import { Loaded } from '../../parts/Loaded.tsx';
import { Panel } from '../../parts/Panel.tsx';
import { Row, Rows } from '../../parts/Rows.tsx';
import { useFields } from '../../parts/useFields.ts';
import { common } from '../../texts/common.ts';
import { homeTexts as texts } from '../../texts/home.ts';

const GIGABYTE = 2 ** 30;

/** How full everybody's workspace is, and its quota. */
export function WorkspacesPanel() {
  const workspaces = useWorkspaces();
  const [changed, setChanged] = useState<WorkspaceOverview | null>(null);
  return (
    <Panel title={texts.workspaces} about={texts.workspacesAbout} flush>
      <Loaded query={workspaces}>
        {(list) => (
          <Rows label={texts.workspaces}>
            {list.map((workspace) => {
              const { id, name, usedBytes, maxBytes, ownQuota } = workspace;
              const share = percentOf(usedBytes, maxBytes);
              return (
                <Row
                  key={id}
                  icon={<HardDrive size={18} />}
                  title={name}
                  signs={ownQuota && <Badge color="gray">{texts.ownQuota}</Badge>}
                  about={texts.usedOf(formatBytes(usedBytes), formatBytes(maxBytes))}
                  actions={
                    <Button size="xs" variant="subtle" aria-label={texts.quotaOf(name)} onClick={() => setChanged(workspace)}>
                      {texts.quota}
                    </Button>
                  }
                >
                  <Progress mt={8} size="xs" value={share} color={share > 95 ? 'red' : undefined} aria-label={name} />
                </Row>
              );
            })}
          </Rows>
        )}
      </Loaded>
      {changed && <QuotaDialog workspace={changed} close={() => setChanged(null)} />}
    </Panel>
  );
}

function QuotaDialog({ workspace, close }: { workspace: WorkspaceOverview; close(): void }) {
  const setQuota = useSetQuota();
  const fields = useFields({ maxBytes: (workspace.ownQuota ? workspace.maxBytes / GIGABYTE : '') as number | string });
  const submit = fields.submit(async ({ maxBytes }) => {
    await setQuota(workspace.id, maxBytes === '' ? null : Math.round(Number(maxBytes) * GIGABYTE));
    close();
  });
  return (
    <Modal opened onClose={close} title={texts.quotaOf(workspace.name)} centered>
      <form onSubmit={submit}>
        <NumberInput
          label={texts.quotaUnit}
          description={texts.quotaAbout}
          placeholder={formatBytes(workspace.maxBytes)}
          min={0}
          decimalScale={3}
          data-autofocus
          {...fields.value('maxBytes')}
        />
        <Group justify="flex-end" gap="xs" mt="md">
          <Button variant="default" onClick={close}>
            {common.action.cancel}
          </Button>
          <Button type="submit" loading={fields.busy}>
            {common.action.save}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
