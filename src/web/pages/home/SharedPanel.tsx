import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { keys, listLinks } from '../../api/storage.ts';
import { Panel } from '../../components/Panel.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { Rows } from '../../components/Rows.tsx';
import { SharedRow } from '../shared/SharedRow.tsx';
import { SHARE_HINT } from '../shared/share-hint.ts';
import { texts } from './texts.ts';

/** What others can open with a link. */
export function SharedPanel() {
  const links = useInfiniteQuery({
    queryKey: keys.links,
    queryFn: ({ pageParam, signal }) => listLinks(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
  });
  return (
    <Panel title={texts.shared} description={texts.sharedText} flush>
      <QueryContent query={links}>
        {(items) =>
          items.length === 0 ? (
            <p className="panel-note">
              {texts.nothingShared} {SHARE_HINT}
            </p>
          ) : (
            <Rows label={texts.shared}>
              {items.map((link) => (
                <SharedRow key={link.id} link={link} />
              ))}
            </Rows>
          )
        }
      </QueryContent>
      {links.hasNextPage && (
        <div className="panel-more">
          <Button
            size="xs"
            variant="subtle"
            loading={links.isFetchingNextPage}
            onClick={() => void links.fetchNextPage()}
          >
            {texts.showMore}
          </Button>
        </div>
      )}
    </Panel>
  );
}
