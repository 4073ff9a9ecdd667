import { queryOptions } from '@tanstack/react-query';
import type { AnswerOf } from '../../client/index.ts';
import { DAY } from '../formats.ts';
import { keys } from './keys.ts';
import { pagesFrom } from './pages.ts';
import { posthouse } from './posthouse.ts';
import { texts } from './texts.ts';

export type FoundFile = AnswerOf<'/api/storage/search', 'get'>[number];

/** The kinds of files that a search distinguishes, with their names. */
export const FILE_TYPES = {
  image: texts.images,
  video: texts.videos,
  audio: texts.audio,
  document: texts.documents,
  archive: texts.archives,
  other: texts.otherFiles,
};

export interface SearchFilter {
  query: string;
  /** Null = all. */
  type: keyof typeof FILE_TYPES | null;
  /** Only files added in the last `days` days; null = all. */
  days: number | null;
}

const PAGE_SIZE = 50;
const MAX_FOUND = 10;

export type FoundFolder = AnswerOf<'/api/storage/search/folders', 'get'>[number];

/** The folders whose names match, in all workspaces that the person may read. */
export const foldersNamed = (query: string, limit: number) =>
  queryOptions({
    queryKey: [...keys.search, 'folders', query, limit],
    queryFn: ({ signal }) =>
      posthouse.get('/api/storage/search/folders', { params: { query: { query, limit } }, signal }),
  });

/** Returns the first files whose names match, in all workspaces that the person may read. */
export const searchFiles = (query: string, signal: AbortSignal) =>
  posthouse.get('/api/storage/search', { params: { query: { query, limit: MAX_FOUND } }, signal });

/**
 * Loads the files that match, most recently added first, from all workspaces that the person may read. A page can be
 * empty and still have a next one.
 */
export const searchPages = ({ query, type, days }: SearchFilter) =>
  pagesFrom((signal) => {
    const after = days === null ? undefined : new Date(Date.now() - days * DAY).toISOString();
    return posthouse.list('/api/storage/search', {
      params: { query: { query, type: type ?? undefined, after, limit: PAGE_SIZE } },
      signal,
    });
  });
