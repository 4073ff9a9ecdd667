import { Badge, Progress } from '@mantine/core';
import { HardDrive, UsersRound } from 'lucide-react';
import type { WorkspaceOverview } from '../../api/workspace-administration.ts';
import { Actions } from '../../components/actions.tsx';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { Row } from '../../components/Rows.tsx';
import { formatBytes, percentOf } from '../../formats.ts';
import { texts } from './texts.ts';

const ManagersDialog = lazyComponent(async () => (await import('./ManagersDialog.tsx')).ManagersDialog);
const QuotaDialog = lazyComponent(async () => (await import('./QuotaDialog.tsx')).QuotaDialog);

/** A workspace for administrators: its space, quota and managers. */
export function WorkspaceRow({ workspace }: { workspace: WorkspaceOverview }) {
  const { name, personal, usedBytes, maxBytes, managers, ownQuota, deleted } = workspace;
  const percent = percentOf(usedBytes, maxBytes);
  const isUnmanaged = !personal && !deleted && managers.every(({ disabled }) => disabled);
  const names = managers.map((manager) => manager.name || manager.email);
  return (
    <Row
      icon={personal ? <HardDrive size={18} /> : <UsersRound size={18} />}
      title={name}
      faint={deleted}
      badges={
        <>
          {deleted && <Badge color="gray">{texts.deleted}</Badge>}
          {isUnmanaged && <Badge color="red">{texts.noManager}</Badge>}
          {ownQuota && <Badge color="gray">{texts.ownQuota}</Badge>}
        </>
      }
      description={[texts.usedOf(formatBytes(usedBytes), formatBytes(maxBytes)), names.join(', ')]
        .filter(Boolean)
        .join(' · ')}
      actions={
        <Actions
          name={name}
          buttons={[
            !personal && {
              label: texts.managers,
              ariaLabel: texts.managersOf(name),
              dialog: (close) => <ManagersDialog workspace={workspace} close={close} />,
            },
            {
              label: texts.quota,
              ariaLabel: texts.quotaOf(name),
              dialog: (close) => <QuotaDialog workspace={workspace} close={close} />,
            },
          ]}
        />
      }
    >
      <Progress mt={8} size="xs" value={percent} color={percent > 95 ? 'red' : undefined} aria-label={name} />
    </Row>
  );
}
