import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { useAllWorkspaces } from '../../api/workspace-administration.ts';
import { Panel } from '../../components/Panel.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { Rows } from '../../components/Rows.tsx';
import { WorkspaceRow } from '../workspaces/WorkspaceRow.tsx';

const SHOWN = 5;

/** The workspaces that use the most space. */
export function WorkspacesPanel() {
  const workspaces = useAllWorkspaces();
  return (
    <Panel
      title="Storage by workspace"
      description="The workspaces that use the most space."
      actions={
        <Button component={Link} href="/admin/workspaces" size="xs" variant="default">
          All workspaces
        </Button>
      }
      flush
    >
      <QueryContent query={workspaces}>
        {(all) => (
          <Rows label="Storage by workspace">
            {all.slice(0, SHOWN).map((workspace) => (
              <WorkspaceRow key={workspace.id} workspace={workspace} />
            ))}
          </Rows>
        )}
      </QueryContent>
    </Panel>
  );
}
