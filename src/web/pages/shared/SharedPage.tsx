import { Button, Group, NativeSelect } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { FolderOpen, Share2 } from 'lucide-react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { listShared } from '../../api/links.ts';
import { keys } from '../../api/storage.ts';
import { isDeleted, mayWrite, useWorkspaces, workspaceAddress, workspaceName } from '../../api/workspaces.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Page } from '../../components/Page.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { Rows } from '../../components/Rows.tsx';
import { sharedAddress } from '../files/SpaceAndTrash.tsx';
import { SharedRow } from './SharedRow.tsx';

/** Everything of a workspace that people without an account can open. */
export function SharedPage() {
  const [, navigate] = useLocation();
  const workspaceId = useSearchParams()[0].get('workspaceId') ?? undefined;
  const workspaces = (useWorkspaces().data ?? []).filter((one) => mayWrite(one) && !isDeleted(one));
  const workspace = workspaces.find(({ id, personal }) =>
    workspaceId === undefined ? personal : id === workspaceId,
  );
  return (
    <Page
      title="Shared"
      description="Links and public files, which people without an account can open."
      actions={
        <>
          {workspaces.length > 1 && (
            <NativeSelect
              aria-label="Workspace"
              value={workspace?.id}
              onChange={({ currentTarget }) => {
                const chosen = workspaces.find(({ id }) => id === currentTarget.value);
                if (chosen) navigate(sharedAddress(chosen));
              }}
              data={workspaces.map((one) => ({ value: one.id, label: workspaceName(one) }))}
            />
          )}
          <Button
            component={Link}
            href={workspace ? workspaceAddress(workspace) : '/files'}
            variant="default"
            leftSection={<FolderOpen size={17} />}
          >
            {workspace ? workspaceName(workspace) : 'My files'}
          </Button>
        </>
      }
    >
      <SharedList key={workspaceId} workspaceId={workspaceId} />
    </Page>
  );
}

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
            <EmptyState
              title="Nothing is shared"
              text="Choose “Share” in the menu of a folder, or of files that you have selected, to create a link."
              icon={<Share2 size={28} />}
            />
          ) : (
            <Rows boxed label="Shared">
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
            Show more
          </Button>
        </Group>
      )}
    </>
  );
}
