import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { tellError } from '../parts/tell.tsx';
import { call } from './http.ts';

export type MessageStatus = 'queued' | 'sent' | 'failed' | 'unknown' | 'cancelled';

export interface Message {
  id: string;
  kind: string;
  clientId: string | null;
  status: MessageStatus;
  attempts: number;
  parts: number;
  title: string;
  to: string[];
  error: string | null;
  errorCode: string | null;
  sandbox: boolean;
  nextAttemptAt: string | null;
  dateCreated: string;
  dateFinished: string | null;
}

export interface MessagePart {
  part: number;
  status: MessageStatus;
  attempts: number;
  error: string | null;
  errorCode: string | null;
  payload: unknown;
  result: unknown;
}

export type MessageDetail = Pick<Message, 'id' | 'kind' | 'clientId' | 'status' | 'title' | 'to' | 'sandbox' | 'dateCreated'> & {
  parts: MessagePart[];
};

/** Which messages are asked for; empty = all. */
export interface MessageFilter {
  kind: string;
  status: string;
  search: string;
  /** Only what was kept here instead of being sent. */
  sandbox: boolean;
}

const MESSAGES = ['messages'];
const PAGE_SIZE = 50;
/** How often the pages look whether something changed. */
const LIVE_MS = 3_000;

/** Messages, the newest first, page by page; kept up to date. */
export function useMessages({ sandbox, ...filter }: MessageFilter) {
  return useInfiniteQuery({
    queryKey: [...MESSAGES, 'list', filter, sandbox],
    queryFn: ({ pageParam, signal }) =>
      call<Message[]>('GET', '/api/admin/messages', {
        query: { ...filter, sandbox: sandbox || undefined, before: pageParam, limit: PAGE_SIZE },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? null : page.at(-1)?.id),
    placeholderData: (earlier) => earlier,
    refetchInterval: LIVE_MS,
  });
}

export const useMessage = (id: string) =>
  useQuery({
    queryKey: [...MESSAGES, 'one', id],
    queryFn: ({ signal }) => call<MessageDetail>('GET', `/api/admin/messages/${id}`, { signal }),
    refetchInterval: (query) => (query.state.data?.status === 'queued' ? LIVE_MS : false),
  });

export interface Statistics {
  hours: { hour: string; kind: string; accepted: number; failed: number }[];
  waiting: { kind: string; clientId: string | null; since: string }[];
}

export const useStatistics = () =>
  useQuery({
    queryKey: [...MESSAGES, 'statistics'],
    queryFn: ({ signal }) => call<Statistics>('GET', '/api/admin/messages/statistics', { signal }),
    refetchInterval: 15_000,
  });

export function useResend() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ids: string[]) => call<{ resent: string[] }>('POST', '/api/admin/messages/resend', { body: { ids } }),
    onSuccess: () => client.invalidateQueries({ queryKey: MESSAGES }),
    onError: tellError,
  });
}

export function useCancel() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call<void>('POST', `/api/admin/messages/${id}/cancel`),
    onSettled: () => client.invalidateQueries({ queryKey: MESSAGES }),
    onError: tellError,
  });
}
