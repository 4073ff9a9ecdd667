import { Badge, Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { keys, listLinks, type FileLink as SharedFile, type SharedLink } from '../../api/storage.ts';
import { CopyButton } from '../../components/CopyButton.tsx';
import { Panel } from '../../components/Panel.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { Row, Rows } from '../../components/Rows.tsx';
import { Time } from '../../components/Time.tsx';
import { countOf } from '../../formats.ts';
import { EntryPicture } from '../files/EntryPicture.tsx';
import { fileEntry } from '../files/entries.ts';
import { FileLink } from './FileLink.tsx';

/** Time before the expiry in which a link is marked. */
const SOON_MS = 3 * 24 * 3_600_000;

/** The files that others can open with a link. */
export function SharedPanel() {
  const links = useInfiniteQuery({
    queryKey: keys.links,
    queryFn: ({ pageParam, signal }) => listLinks(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    select: ({ pages }) => pages.flatMap(({ items }) => items).filter(isFile),
  });
  return (
    <Panel title="Shared files" description="Files that others can open with a link." flush>
      <QueryContent query={links}>
        {(items) =>
          items.length === 0 ? (
            <p className="panel-note">
              You share no files. Open “Share and details” of a file to create a link.
            </p>
          ) : (
            <Rows label="Shared files">
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
            Show more
          </Button>
        </div>
      )}
    </Panel>
  );
}

const isFile = (link: SharedLink) => link.kind === 'file';

function SharedRow({ link }: { link: SharedFile }) {
  const { originalName, url, visibility, hasPassword, expiresAt, downloadCount, maxDownloads } = link;
  const count = countOf(downloadCount, 'download', 'downloads');
  return (
    <Row
      icon={<EntryPicture entry={fileEntry(link)} />}
      title={<FileLink file={link} panel="details" />}
      badges={
        <>
          <Badge color="gray">{visibility === 1 ? 'Public' : 'Access key'}</Badge>
          {hasPassword && <Badge color="gray">Password</Badge>}
          <EndBadge link={link} />
        </>
      }
      description={
        <>
          {maxDownloads === null ? count : `${downloadCount} of ${maxDownloads} downloads`} ·{' '}
          {expiresAt === null ? (
            'Never expires'
          ) : (
            <>
              Expires <Time value={expiresAt} />
            </>
          )}
        </>
      }
      actions={<CopyButton text={url} label={`Copy link to ${originalName}`} />}
    />
  );
}

/** Marks a link that does not work any more, or ends soon. */
function EndBadge({ link: { expiresAt, downloadCount, maxDownloads } }: { link: SharedLink }) {
  const leftMs = expiresAt === null ? Number.POSITIVE_INFINITY : new Date(expiresAt).getTime() - Date.now();
  if (leftMs <= 0) return <Badge color="red">Expired</Badge>;
  if (maxDownloads !== null && downloadCount >= maxDownloads)
    return <Badge color="red">Download limit reached</Badge>;
  return leftMs < SOON_MS && <Badge color="yellow">Expires soon</Badge>;
}
