import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { AnswerOf, operations } from '../../client/index.ts';
import { texts as common } from '../texts.ts';
import { useChange } from './change.ts';
import { keys } from './keys.ts';
import { pagesFrom, pagesQuery, readPages } from './pages.ts';
import { byId, posthouse, type Schemas } from './posthouse.ts';
import { whileOutage } from './queries.ts';
import { texts } from './texts.ts';

export type Message = Schemas['Message'];
export type MessageStatus = Message['status'];
type MessageKind = NonNullable<NonNullable<operations['listMessages']['parameters']['query']>['kind']>;
export type MessageDetail = AnswerOf<'/api/admin/messages/{id}', 'get'>;
export type MessagePart = MessageDetail['parts'][number];
export type Statistics = AnswerOf<'/api/admin/messages/statistics', 'get'>;

export const KINDS: Record<string, string> = {
  email: common.mail,
  chat: common.chat,
  telegram: common.telegram,
  'chat-edit': texts.chatEdit,
};
export const STATUSES: Record<MessageStatus, string> = {
  queued: texts.waiting,
  sent: texts.sent,
  failed: common.failed,
  unknown: texts.unknown,
  cancelled: texts.cancelled,
};

const FILTERS = ['kind', 'status', 'clientId', 'recipient', 'since', 'until', 'sandbox', 'search'] as const;
/** The messages to list, as in the address of the page; '' = all. Times are values of `datetime-local` inputs. */
export type MessageFilter = Record<(typeof FILTERS)[number], string>;

/** Reads the filter in an address. Ignores an unknown kind or status. */
export function filterOf(parameters: URLSearchParams): MessageFilter {
  const values = FILTERS.map((name) => [name, parameters.get(name) ?? '']);
  const filter = Object.fromEntries(values) as MessageFilter;
  const known = (name: 'kind' | 'status', all: object) =>
    Object.hasOwn(all, filter[name]) ? filter[name] : '';
  return { ...filter, kind: known('kind', KINDS), status: known('status', STATUSES) };
}

const PAGE_SIZE = 50;
const LARGEST_PAGE = 200;
/** Maximum number of messages in an export. */
const MAX_READ = 20_000;
/** Interval at which the pages load changes that no event has reported. */
const LIVE_MS = 60_000;

const queryOf = ({ kind, clientId, recipient, search, status, sandbox, since, until }: MessageFilter) => ({
  kind: (kind || undefined) as MessageKind | undefined,
  clientId: clientId || undefined,
  recipient: recipient || undefined,
  search: search || undefined,
  status: (status || undefined) as MessageStatus | undefined,
  sandbox: sandbox === 'true' ? ('true' as const) : undefined,
  since: isoTime(since),
  until: isoTime(until),
});

const listMessages = (query: ReturnType<typeof queryOf>, limit: number) =>
  pagesFrom((signal) =>
    posthouse.list('/api/admin/messages', { params: { query: { ...query, limit } }, signal }),
  );

/** Messages, newest first, page by page; kept up to date. */
export function useMessages(filter: MessageFilter) {
  const query = queryOf(filter);
  return useInfiniteQuery({
    ...pagesQuery({ queryKey: [...keys.messages, 'list', query], load: listMessages(query, PAGE_SIZE) }),
    placeholderData: (earlier) => earlier,
    // A search reads many messages, and is not repeated.
    refetchInterval: (page) => whileOutage(page) || (query.search || query.recipient ? false : LIVE_MS),
  });
}

/** Returns the newest messages whose text matches. */
export const searchMessages = (search: string, limit: number, signal: AbortSignal) =>
  posthouse.get('/api/admin/messages', { params: { query: { search, limit } }, signal });

/** Returns the messages that match a filter, newest first, at most `MAX_READ`. */
export const readMessages = (filter: MessageFilter): Promise<Message[]> =>
  readPages(listMessages(queryOf(filter), LARGEST_PAGE), MAX_READ);

const isoTime = (local: string) =>
  Number.isNaN(Date.parse(local)) ? undefined : new Date(local).toISOString();

export const useMessage = (id: string) =>
  useQuery({
    queryKey: [...keys.messages, 'one', id],
    queryFn: () => posthouse.get('/api/admin/messages/{id}', byId(id)),
    refetchInterval: (query) =>
      whileOutage(query) || (query.state.data?.status === 'queued' ? LIVE_MS : false),
  });

export const useStatistics = () =>
  useQuery({
    queryKey: [...keys.messages, 'statistics'],
    queryFn: () => posthouse.get('/api/admin/messages/statistics'),
    refetchInterval: 15_000,
  });

/** Queues messages again. Returns those that were queued. */
export const resend = (ids: string[]) => posthouse.post('/api/admin/messages/resend', { body: { ids } });
export const cancel = (id: string) => posthouse.post('/api/admin/messages/{id}/cancel', byId(id));
/** Resends or cancels messages, and then refetches them. */
export const useMessageChange = () => useChange(keys.messages);
