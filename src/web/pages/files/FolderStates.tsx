import { Button } from '@mantine/core';
import { FolderPlus, SearchX } from 'lucide-react';
import { Link } from 'wouter';
import { ApiError } from '../../api/http.ts';
import { Failure } from '../../parts/Failure.tsx';
import { Nothing } from '../../parts/Nothing.tsx';
import { fileTexts as texts } from '../../texts/files.ts';

/** A folder that has nothing to show. */
export function EmptyFolder({ search }: { search: string }) {
  if (search) return <Nothing title={texts.notFoundTitle} text={texts.notFoundText(search)} icon={<SearchX size={28} />} />;
  return <Nothing title={texts.emptyTitle} text={texts.emptyText} icon={<FolderPlus size={28} />} />;
}

/** A folder that cannot be shown. */
export function FolderFailure({ error, retry }: { error: Error; retry: () => void }) {
  if (!(error instanceof ApiError) || error.status !== 404) return <Failure error={error} retry={retry} whole="page" />;
  return (
    <Nothing title={texts.missingTitle} text={texts.missingText} whole="page">
      <Button component={Link} href="/files">
        {texts.root}
      </Button>
    </Nothing>
  );
}
