import { Share2 } from 'lucide-react';
import { keys } from '../../api/keys.ts';
import { listShared } from '../../api/links.ts';
import { useItems } from '../../api/pages.ts';
import { sharedAddress } from '../../api/workspaces.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { MoreButton } from '../../components/MoreButton.tsx';
import { QueryRows } from '../../components/Rows.tsx';
import { WorkspacePage } from '../../components/WorkspacePage.tsx';
import { texts as common } from '../../texts.ts';
import { SharedRow } from './SharedRow.tsx';
import { SHARE_HINT } from './share-hint.ts';
import { texts } from './texts.ts';

/** Everything of a workspace that people without an account can open. */
export const SharedPage = () => (
  <WorkspacePage
    title={common.shared}
    description={texts.description}
    addressOf={sharedAddress}
    content={(workspaceId) => <SharedList workspaceId={workspaceId} />}
  />
);

function SharedList({ workspaceId }: { workspaceId: string | undefined }) {
  const links = useItems({
    queryKey: [...keys.links, 'list', workspaceId],
    load: listShared(workspaceId),
  });
  return (
    <>
      <QueryRows
        query={links}
        boxed
        label={common.shared}
        row={(link) => <SharedRow key={link.id} link={link} />}
        empty={<EmptyState title={texts.nothing} text={SHARE_HINT} icon={<Share2 size={28} />} />}
      />
      <MoreButton pages={links} />
    </>
  );
}
