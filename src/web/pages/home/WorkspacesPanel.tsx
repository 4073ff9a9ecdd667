import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { useAllWorkspaces } from '../../api/workspace-administration.ts';
import { Panel } from '../../components/Panel.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { Rows } from '../../components/Rows.tsx';
import { WorkspaceRow } from '../workspaces/WorkspaceRow.tsx';
import { texts } from './texts.ts';

const SHOWN = 5;

/** The workspaces that use the most space. */
export function WorkspacesPanel() {
  const workspaces = useAllWorkspaces();
  return (
    <Panel
      title={texts.byWorkspace}
      description={texts.byWorkspaceText}
      actions={
        <Button component={Link} href="/admin/workspaces" size="xs" variant="default">
          {texts.allWorkspaces}
        </Button>
      }
      flush
    >
      <QueryContent query={workspaces}>
        {(all) => (
          <Rows label={texts.byWorkspace}>
            {all.slice(0, SHOWN).map((workspace) => (
              <WorkspaceRow key={workspace.id} workspace={workspace} />
            ))}
          </Rows>
        )}
      </QueryContent>
    </Panel>
  );
}
