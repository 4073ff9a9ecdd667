import { useQuery } from '@tanstack/react-query';
import type { AnswerOf, BodyOf } from '../../client/index.ts';
import { useChange, useRefresh } from './change.ts';
import { keys } from './keys.ts';
import { byId, posthouse, type Schemas } from './posthouse.ts';

export type ChatClient = Schemas['ChatClient'];
export type ChatGuild = Schemas['ChatGuild'];
export type ChatChannel = Schemas['ChatChannel'];
export type Pause = NonNullable<ChatClient['pause']>;
/** A guild and its channels that the bot can see on the platform. */
export type PlatformGuild = AnswerOf<'/api/admin/chat/clients/{id}/platform', 'get'>[number];
export type NewClient = BodyOf<'/api/admin/chat/clients', 'post'>;
export type ClientChanges = BodyOf<'/api/admin/chat/clients/{id}', 'patch'>;
export type TargetChanges = BodyOf<'/api/admin/chat/channels/{id}', 'patch'>;
type NewTarget = BodyOf<'/api/admin/chat/clients/{id}/guilds', 'post'>;
export const PLATFORMS: Record<ChatClient['platform'], string> = { discord: 'Discord', sandbox: 'Sandbox' };
/** Guilds or channels. */
type Targets = 'guilds' | 'channels';

export const getClients = () => posthouse.get('/api/admin/chat/clients');
export const getGuilds = (clientId: string) =>
  posthouse.get('/api/admin/chat/clients/{id}/guilds', byId(clientId));
export const getChannels = (guildId: string) =>
  posthouse.get('/api/admin/chat/guilds/{id}/channels', byId(guildId));

/** Interval at which clients and channels are refetched: a pause can begin or end at any time. */
const PAUSES_MS = 10_000;

export const useChatClients = ({ enabled = true } = {}) =>
  useQuery({
    enabled,
    queryKey: [...keys.chat, 'clients'],
    queryFn: () => getClients(),
    refetchInterval: PAUSES_MS,
  });
export const useGuilds = (clientId: string) =>
  useQuery({ queryKey: [...keys.chat, 'guilds', clientId], queryFn: () => getGuilds(clientId) });
export const useChannels = (guildId: string) =>
  useQuery({
    queryKey: [...keys.chat, 'channels', guildId],
    queryFn: () => getChannels(guildId),
    refetchInterval: PAUSES_MS,
  });
export const usePlatformGuilds = (clientId: string) =>
  useQuery({
    queryKey: [...keys.chat, 'platform', clientId],
    queryFn: () => posthouse.get('/api/admin/chat/clients/{id}/platform', byId(clientId)),
    staleTime: 0,
    retry: false,
  });

export const createClient = (body: NewClient) => posthouse.post('/api/admin/chat/clients', { body });
export const changeClient = (id: string, body: ClientChanges) =>
  posthouse.patch('/api/admin/chat/clients/{id}', { ...byId(id), body });
export const deleteClient = (id: string) => posthouse.delete('/api/admin/chat/clients/{id}', byId(id));
export const importTargets = (clientId: string, channelIds: string[]) =>
  posthouse.post('/api/admin/chat/clients/{id}/import', { ...byId(clientId), body: { channelIds } });
export const addGuild = (clientId: string, body: NewTarget) =>
  posthouse.post('/api/admin/chat/clients/{id}/guilds', { ...byId(clientId), body });
export const addChannel = (guildId: string, body: NewTarget) =>
  posthouse.post('/api/admin/chat/guilds/{id}/channels', { ...byId(guildId), body });
export const changeTarget = (kind: Targets, id: string, body: TargetChanges) =>
  posthouse.patch(`/api/admin/chat/${kind}/{id}`, { ...byId(id), body });
export const deleteTarget = (kind: Targets, id: string) =>
  posthouse.delete(`/api/admin/chat/${kind}/{id}`, byId(id));
export const checkChannel = (id: string) => posthouse.post('/api/admin/chat/channels/{id}/check', byId(id));
export const testChannel = (id: string, message: string) =>
  posthouse.post('/api/admin/chat/channels/{id}/test', { ...byId(id), body: { message } });

/** Changes clients, guilds or channels, and then refetches them. */
export const useChatChange = () => useChange(keys.chat);
export const useRefreshChat = () => useRefresh(keys.chat);
