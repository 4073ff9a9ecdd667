import { Button, Group } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Share2 } from 'lucide-react';
import { listShared } from '../../api/links.ts';
import { keys } from '../../api/storage.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { Rows } from '../../components/Rows.tsx';
import { WorkspacePage } from '../../components/WorkspacePage.tsx';
import { sharedAddress } from '../files/SpaceAndTrash.tsx';
import { SharedRow } from './SharedRow.tsx';
import { SHARE_HINT } from './share-hint.ts';
import { texts } from './texts.ts';

/** Everything of a workspace that people without an account can open. */
export const SharedPage = () => (
  <WorkspacePage
    title={texts.shared}
    description={texts.description}
    addressOf={sharedAddress}
    content={(workspaceId) => <SharedList workspaceId={workspaceId} />}
  />
);

function SharedList({ workspaceId }: { workspaceId: string | undefined }) {
  const links = useInfiniteQuery({
    queryKey: [...keys.links, 'list', workspaceId],
    queryFn: ({ pageParam, signal }) => listShared(workspaceId, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    staleTime: 0,
  });
  return (
    <>
      <QueryContent query={links}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState title={texts.nothing} text={SHARE_HINT} icon={<Share2 size={28} />} />
          ) : (
            <Rows boxed label={texts.shared}>
              {items.map((link) => (
                <SharedRow key={link.id} link={link} />
              ))}
            </Rows>
          )
        }
      </QueryContent>
      {links.hasNextPage && (
        <Group justify="center" mt="md">
          <Button
            variant="default"
            loading={links.isFetchingNextPage}
            onClick={() => void links.fetchNextPage()}
          >
            {texts.showMore}
          </Button>
        </Group>
      )}
    </>
  );
}
