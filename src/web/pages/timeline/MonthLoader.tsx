import { useEffect, useMemo } from 'react';
import { keys } from '../../api/keys.ts';
import { useAllPages } from '../../api/pages.ts';
import { listMonth, type Picture } from '../../api/timeline.ts';

interface MonthLoaderProps {
  folderId: string;
  month: string;
  /** Called with the files that are loaded, after each page. */
  onLoad(month: string, files: readonly Picture[]): void;
}

/** Loads the pictures of a month while it is rendered. Shows nothing. */
export function MonthLoader({ folderId, month, onLoad }: MonthLoaderProps) {
  const { data } = useAllPages({
    queryKey: [...keys.timeline, folderId, month],
    load: listMonth(folderId, month),
  });
  const files = useMemo(() => data?.pages.flatMap((page) => page.items), [data]);
  useEffect(() => {
    if (files) onLoad(month, files);
  }, [month, files, onLoad]);
  return null;
}
