import { Badge } from '@mantine/core';
import { UsersRound } from 'lucide-react';
import { Link } from 'wouter';
import { MEMBER_ROLES, useSharedWorkspaces, workspaceAddress, workspaceName } from '../../api/workspaces.ts';
import { Panel } from '../../components/Panel.tsx';
import { Row, Rows } from '../../components/Rows.tsx';
import { formatBytes } from '../../formats.ts';
import { texts as common } from '../../texts.ts';
import { texts } from './texts.ts';

/** The shared workspaces of the person; renders nothing if there are none. */
export function TeamsPanel() {
  const workspaces = useSharedWorkspaces();
  if (workspaces.length === 0) return null;
  return (
    <Panel title={common.sharedWorkspaces} flush>
      <Rows label={common.sharedWorkspaces}>
        {workspaces.map((workspace) => (
          <Row
            key={workspace.id}
            icon={<UsersRound size={18} />}
            title={
              <Link href={workspaceAddress(workspace)} className="row-link">
                {workspaceName(workspace)}
              </Link>
            }
            badges={<Badge color="gray">{MEMBER_ROLES[workspace.role]}</Badge>}
            description={texts.usedOf(formatBytes(workspace.usedBytes), formatBytes(workspace.maxBytes))}
          />
        ))}
      </Rows>
    </Panel>
  );
}
