import type { Query, QueryClient } from '@tanstack/react-query';
import { type Kind, keys } from '../api/keys.ts';
import type { FileMetadata, FolderDetail } from '../api/storage.ts';
import type { LiveEvent } from './event-source.ts';

const TIMES = {
  /** Pause between two rounds, so that many changes are read together. */
  pauseMs: 300,
  /** Maximum time for which a request without a response delays the next round. */
  limitMs: 2_000,
};

/** Refetches shown data when events report changes to it. */
export interface Refresher {
  changed(event: LiveEvent): void;
  /** Anything may have changed. */
  changedAll(): void;
}

export function createRefresher(client: QueryClient, { pauseMs, limitMs } = TIMES): Refresher {
  const events = new Map<string, LiveEvent>();
  let isAll = false;
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    while (isAll || events.size > 0) {
      const [everything, batch] = [isAll, [...events.values()]];
      isAll = false;
      events.clear();
      const read = client.invalidateQueries({
        predicate: (query) =>
          everything ? isLive(query) : batch.some((event) => affects(event, query, client)),
      });
      await Promise.race([read, after(limitMs)]);
      await after(pauseMs);
    }
    isRunning = false;
  }
  const start = () => {
    if (!isRunning) void run();
  };

  return {
    changed(event) {
      events.set(JSON.stringify(event), event);
      start();
    },
    changedAll() {
      isAll = true;
      start();
    },
  };
}

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The queries that any change in a workspace may affect. */
const OF_WORKSPACES: readonly unknown[] = [
  'usage',
  'trash',
  'recent',
  'links',
  'workspaces',
  'folder-usage',
  'versions',
  'timeline',
] satisfies Kind[];

function isLive({ queryKey: [kind] }: Query): boolean {
  return [...(['folder', 'files', 'file', 'messages'] satisfies Kind[]), ...OF_WORKSPACES].includes(kind);
}

function affects({ name, data }: LiveEvent, query: Query, client: QueryClient): boolean {
  const [kind, id] = query.queryKey;
  if (name === 'messages') return kind === 'messages' && isCheap(query);
  const { folderId } = data;
  switch (kind) {
    case 'folder':
      // Also shows whether the folder can still be read.
      return folderId === null || isWithin(client, String(id), folderId ?? '');
    case 'files':
      // A list that was refused can be read again when the workspace is restored.
      return folderId === null ? query.state.error !== null : isWithin(client, String(id), folderId ?? '');
    case 'file': {
      const file = query.state.data as FileMetadata | undefined;
      return file === undefined || file.folderId === folderId;
    }
    default:
      return OF_WORKSPACES.includes(kind);
  }
}

/** Reports whether a folder is `aboveId` or below it, according to the loaded part of its path. */
function isWithin(client: QueryClient, folderId: string, aboveId: string): boolean {
  const folder = client.getQueryData<FolderDetail>([...keys.folder, folderId]);
  return folderId === aboveId || folder === undefined || folder.path.some(({ id }) => id === aboveId);
}

/** Reports whether a query of messages is cheap to repeat: one message, or a list without a search. */
function isCheap({ queryKey: [, part, of] }: Query): boolean {
  if (part !== 'list') return part === 'one';
  const { search, recipient } = of as { search?: string; recipient?: string };
  return !search && !recipient;
}
