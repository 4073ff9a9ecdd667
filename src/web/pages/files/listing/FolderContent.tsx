import { Button } from '@mantine/core';
import { FolderPlus, SearchX } from 'lucide-react';
import { Link } from 'wouter';
import { PosthouseError } from '../../../../client/index.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { hasTouch } from '../../../components/has-touch.ts';
import { PageLoader } from '../../../components/PageLoader.tsx';
import { countOf } from '../../../formats.ts';
import { texts as common } from '../../../texts.ts';
import type { useEntries } from '../entries.ts';
import { useFilesPage } from '../FilesContext.ts';
import { texts } from '../texts.ts';
import type { useView } from '../useView.ts';
import { Listing } from './Listing.tsx';

interface FolderContentProps {
  content: ReturnType<typeof useEntries>;
  view: ReturnType<typeof useView>;
  name: string;
  search: string;
}

/** The entries of a folder, or the reason why there are none. */
export function FolderContent({
  content: { entries, isPending, isPartial },
  view,
  name,
  search,
}: FolderContentProps) {
  if (isPending) return <PageLoader />;
  if (entries.length === 0 && !isPartial) return <EmptyFolder search={search} />;
  return (
    <>
      {entries.length > 0 && <Listing entries={entries} view={view} name={name} />}
      {isPartial && (
        <p className="files-note">
          {texts.loaded} {countOf(entries.length, 'item')} …
        </p>
      )}
    </>
  );
}

function EmptyFolder({ search }: { search: string }) {
  const { canWrite } = useFilesPage();
  return search ? (
    <EmptyState title={common.noMatches} text={texts.noMatchesText(search)} icon={<SearchX size={28} />} />
  ) : (
    <EmptyState
      title={texts.empty}
      text={canWrite && (hasTouch() ? texts.emptyTouchText : texts.emptyText)}
      icon={<FolderPlus size={28} />}
    />
  );
}

/** Shown in place of a folder that failed to load. */
export function FolderError({ error, retry }: { error: Error; retry: () => void }) {
  if (!(error instanceof PosthouseError) || error.status !== 404)
    return <ErrorState error={error} retry={retry} whole="page" />;
  return (
    <EmptyState title={texts.folderNotFound} text={texts.folderNotFoundText} whole="page">
      <Button component={Link} href="/files">
        {common.myFiles}
      </Button>
    </EmptyState>
  );
}
