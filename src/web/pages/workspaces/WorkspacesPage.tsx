import { TextInput } from '@mantine/core';
import { Plus, Search } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Me } from '../../api/session.ts';
import { useAllWorkspaces, type WorkspaceOverview } from '../../api/workspace-administration.ts';
import { DialogButton } from '../../components/DialogButton.tsx';
import { MoreButton } from '../../components/MoreButton.tsx';
import { Page } from '../../components/Page.tsx';
import { Panel } from '../../components/Panel.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { Rows } from '../../components/Rows.tsx';
import { texts as common } from '../../texts.ts';
import { NewWorkspaceDialog } from './NewWorkspaceDialog.tsx';
import { texts } from './texts.ts';
import { WorkspaceRow } from './WorkspaceRow.tsx';

const SHOWN = 50;

/** All workspaces: create shared ones, set quotas, appoint managers. */
export function WorkspacesPage({ me }: { me: Me }) {
  const workspaces = useAllWorkspaces();
  const [search, setSearch] = useState('');
  const isFound = (workspace: WorkspaceOverview) =>
    namesOf(workspace).some((name) => name.toLocaleLowerCase().includes(search.trim().toLocaleLowerCase()));
  return (
    <Page
      title={common.workspaces}
      description={texts.description}
      actions={
        <DialogButton
          label={common.newWorkspace}
          icon={<Plus size={17} />}
          variant="filled"
          dialog={(close) => <NewWorkspaceDialog email={me.email} close={close} />}
        />
      }
    >
      <div className="panel-stack">
        <TextInput
          type="search"
          placeholder={texts.search}
          aria-label={texts.search}
          leftSection={<Search size={16} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <QueryContent query={workspaces}>
          {(all) => (
            <>
              <WorkspaceList
                title={common.sharedWorkspaces}
                workspaces={all.filter((one) => !one.personal && isFound(one))}
                empty={search ? texts.noMatches : texts.none}
              />
              <WorkspaceList
                title={texts.personal}
                workspaces={all.filter((one) => one.personal && isFound(one))}
                empty={texts.noMatches}
              />
            </>
          )}
        </QueryContent>
      </div>
    </Page>
  );
}

const namesOf = ({ name, managers }: WorkspaceOverview) => [
  name,
  ...managers.flatMap((manager) => [manager.name, manager.email]),
];

interface WorkspaceListProps {
  title: string;
  workspaces: readonly WorkspaceOverview[];
  empty: ReactNode;
}

/** The first workspaces of a list, the fullest first, and a button that shows more. */
function WorkspaceList({ title, workspaces, empty }: WorkspaceListProps) {
  const [shown, setShown] = useState(SHOWN);
  return (
    <Panel title={title} flush>
      {workspaces.length === 0 ? (
        <p className="panel-note">{empty}</p>
      ) : (
        <Rows label={title}>
          {workspaces.slice(0, shown).map((workspace) => (
            <WorkspaceRow key={workspace.id} workspace={workspace} />
          ))}
        </Rows>
      )}
      <MoreButton
        pages={{ hasNextPage: workspaces.length > shown, fetchNextPage: () => setShown(shown + SHOWN) }}
        inPanel
      />
    </Panel>
  );
}
