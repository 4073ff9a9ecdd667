import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { tellError } from '../parts/tell.tsx';
import { call } from './http.ts';

export interface Pause {
  since: string;
  /** The platform's own words. */
  reason: string;
}

export interface ChatClient {
  id: string;
  name: string;
  enabled: boolean;
  dateCreated: string;
  platform: 'discord' | 'sandbox';
  hasToken: boolean;
  hasRelayKey: boolean;
  sandbox: boolean;
  pause: Pause | null;
}

export interface ChatGuild {
  id: string;
  clientId: string;
  platformId: string;
  name: string;
  enabled: boolean;
}

export interface ChatChannel {
  id: string;
  guildId: string;
  platformId: string;
  name: string;
  enabled: boolean;
  pause: Pause | null;
}

/** A guild as the platform shows it to the bot. */
export interface PlatformGuild {
  platformId: string;
  name: string;
  channels: { platformId: string; name: string }[];
}

export interface Reach {
  canSend: boolean;
  reason: string;
  detail: string;
}

export interface ChatSent {
  id: string;
  status: string;
  url?: string | null;
  sandbox?: true;
}

const CHAT = ['chat'];
const BASE = '/api/admin/chat';

export const getClients = (signal?: AbortSignal) => call<ChatClient[]>('GET', `${BASE}/clients`, { signal });
export const getGuilds = (clientId: string, signal?: AbortSignal) =>
  call<ChatGuild[]>('GET', `${BASE}/clients/${clientId}/guilds`, { signal });
export const getChannels = (guildId: string, signal?: AbortSignal) =>
  call<ChatChannel[]>('GET', `${BASE}/guilds/${guildId}/channels`, { signal });

/** A pause may begin or end at any time, so the shown ones are looked at again. */
const PAUSES_MS = 10_000;

export const useChatClients = () =>
  useQuery({ queryKey: [...CHAT, 'clients'], queryFn: ({ signal }) => getClients(signal), refetchInterval: PAUSES_MS });
export const useGuilds = (clientId: string) =>
  useQuery({ queryKey: [...CHAT, 'guilds', clientId], queryFn: ({ signal }) => getGuilds(clientId, signal) });
export const useChannels = (guildId: string) =>
  useQuery({ queryKey: [...CHAT, 'channels', guildId], queryFn: ({ signal }) => getChannels(guildId, signal), refetchInterval: PAUSES_MS });
export const usePlatformGuilds = (clientId: string) =>
  useQuery({
    queryKey: [...CHAT, 'platform', clientId],
    queryFn: ({ signal }) => call<PlatformGuild[]>('GET', `${BASE}/clients/${clientId}/platform`, { signal }),
    staleTime: 0,
    retry: false,
  });

/** What of a client may be set; a token goes in and never comes out. */
export interface ClientChanges {
  name?: string;
  platform?: ChatClient['platform'];
  token?: string | null;
  relayKey?: boolean | null;
  enabled?: boolean;
  paused?: false;
}

export interface PlaceChanges {
  name?: string;
  enabled?: boolean;
  paused?: false;
}

export const makeClient = (client: ClientChanges) => call<ChatClient & { relayKey?: string }>('POST', `${BASE}/clients`, { body: client });
export const changeClient = (id: string, changes: ClientChanges) =>
  call<ChatClient & { relayKey?: string }>('PATCH', `${BASE}/clients/${id}`, { body: changes });
export const deleteClient = (id: string) => call<void>('DELETE', `${BASE}/clients/${id}`);
export const importPlaces = (clientId: string, channelIds: readonly string[]) =>
  call<{ guilds: number; channels: number }>('POST', `${BASE}/clients/${clientId}/import`, { body: { channelIds } });
export const addGuild = (clientId: string, place: { platformId: string; name: string }) =>
  call<ChatGuild>('POST', `${BASE}/clients/${clientId}/guilds`, { body: place });
export const addChannel = (guildId: string, place: { platformId: string; name: string }) =>
  call<ChatChannel>('POST', `${BASE}/guilds/${guildId}/channels`, { body: place });
export const changePlace = (kind: 'guilds' | 'channels', id: string, changes: PlaceChanges) =>
  call<unknown>('PATCH', `${BASE}/${kind}/${id}`, { body: changes });
export const deletePlace = (kind: 'guilds' | 'channels', id: string) => call<void>('DELETE', `${BASE}/${kind}/${id}`);
export const checkChannel = (id: string) => call<Reach>('POST', `${BASE}/channels/${id}/check`);
export const testChannel = (id: string, message: string) => call<ChatSent>('POST', `${BASE}/channels/${id}/test`, { body: { message } });

/** Does something about chat targets and shows how they stand afterwards. */
export function useChatChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSettled: () => client.invalidateQueries({ queryKey: CHAT }),
    onError: tellError,
  });
}

export function useLookAgainAtChat() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: CHAT });
}
