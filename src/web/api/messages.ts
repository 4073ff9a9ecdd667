import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AnswerOf } from '../../client/index.ts';
import { notifyError } from '../components/notify.tsx';
import { byId, posthouse, type Schemas } from './posthouse.ts';

export type Message = Schemas['Message'];
export type MessageStatus = Message['status'];
export type MessageDetail = AnswerOf<'/api/admin/messages/{id}', 'get'>;
export type MessagePart = MessageDetail['parts'][number];
export type Statistics = AnswerOf<'/api/admin/messages/statistics', 'get'>;

export const KINDS: Record<string, string> = {
  email: 'Mail',
  chat: 'Chat',
  telegram: 'Telegram',
  'chat-edit': 'Chat edit',
};
export const STATUSES: Record<MessageStatus, string> = {
  queued: 'Waiting',
  sent: 'Sent',
  failed: 'Failed',
  unknown: 'Unknown',
  cancelled: 'Cancelled',
};

/** The messages to list; empty = all. */
export interface MessageFilter {
  kind: string;
  status: MessageStatus | '';
  search: string;
  /** Lists only messages of the sandbox. */
  sandbox: boolean;
}

const MESSAGES = ['messages'];
const PAGE_SIZE = 50;
/** How often the pages look for changes. */
const LIVE_MS = 3_000;

/** Messages, the newest first, page by page; kept up to date. */
export function useMessages({ kind, status, search, sandbox }: MessageFilter) {
  const query = {
    kind: kind || undefined,
    status: status || undefined,
    search: search || undefined,
    sandbox: sandbox ? ('true' as const) : undefined,
    limit: PAGE_SIZE,
  };
  return useInfiniteQuery({
    queryKey: [...MESSAGES, 'list', query],
    queryFn: ({ pageParam: before, signal }) =>
      posthouse.list('/api/admin/messages', { params: { query: { ...query, before } }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => (next === null ? null : beforeOf(next)),
    placeholderData: (earlier) => earlier,
    // A search reads many messages.
    refetchInterval: search ? false : LIVE_MS,
  });
}

const beforeOf = (address: string) => new URL(address, location.href).searchParams.get('before') ?? undefined;

export const useMessage = (id: string) =>
  useQuery({
    queryKey: [...MESSAGES, 'one', id],
    queryFn: ({ signal }) => posthouse.get('/api/admin/messages/{id}', byId(id, signal)),
    refetchInterval: (query) => (query.state.data?.status === 'queued' ? LIVE_MS : false),
  });

export const useStatistics = () =>
  useQuery({
    queryKey: [...MESSAGES, 'statistics'],
    queryFn: ({ signal }) => posthouse.get('/api/admin/messages/statistics', { signal }),
    refetchInterval: 15_000,
  });

export function useResend() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ids: string[]) => posthouse.post('/api/admin/messages/resend', { body: { ids } }),
    onSuccess: () => client.invalidateQueries({ queryKey: MESSAGES }),
    onError: notifyError,
  });
}

export function useCancel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => posthouse.post('/api/admin/messages/{id}/cancel', byId(id)),
    onSettled: () => client.invalidateQueries({ queryKey: MESSAGES }),
    onError: notifyError,
  });
}
