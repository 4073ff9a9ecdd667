import { Trash2 } from 'lucide-react';
import { mayErase, trashAddress } from '../../api/workspaces.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { MoreButton } from '../../components/MoreButton.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { Rows } from '../../components/Rows.tsx';
import { WorkspacePage } from '../../components/WorkspacePage.tsx';
import { texts as common } from '../../texts.ts';
import { DeletedRow } from './DeletedRow.tsx';
import { TrashToolbar } from './TrashToolbar.tsx';
import { texts } from './texts.ts';
import { useTrash } from './useTrash.ts';
import { useTrashOperations } from './useTrashOperations.ts';

/** Deleted files and folders of a workspace, to be restored or deleted permanently. */
export const TrashPage = () => (
  <WorkspacePage
    title={common.trash}
    description={texts.description}
    addressOf={trashAddress}
    content={(workspaceId, workspace) => <Content workspaceId={workspaceId} canErase={mayErase(workspace)} />}
  />
);

interface ContentProps {
  workspaceId: string | undefined;
  canErase: boolean;
}

function Content({ workspaceId, canErase }: ContentProps) {
  const trash = useTrash(workspaceId);
  const operations = useTrashOperations(workspaceId);
  return (
    <QueryContent query={trash.entries}>
      {(entries) =>
        entries.length === 0 ? (
          <EmptyState title={texts.empty} text={texts.emptyText} icon={<Trash2 size={28} />} />
        ) : (
          <>
            <TrashToolbar entries={entries} trash={trash} operations={operations} canErase={canErase} />
            <Rows label={common.trash} boxed>
              {entries.map((entry) => (
                <DeletedRow
                  key={entry.id}
                  entry={entry}
                  isSelected={trash.isSelected(entry.id)}
                  toggle={() => trash.toggle(entry.id)}
                  restore={() => operations.restore([entry])}
                />
              ))}
            </Rows>
            <MoreButton pages={trash.entries} />
          </>
        )
      }
    </QueryContent>
  );
}
