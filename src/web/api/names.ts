import { useQuery } from '@tanstack/react-query';
import { getChannels, getClients, getGuilds } from './chat.ts';
import { keys } from './keys.ts';
import { getMailClients } from './mail.ts';

const OPTIONS = { staleTime: 60_000, retry: false };

/** Returns the names of clients and channels; an unknown ID is shown as it is. */
export function useNames() {
  const chat = useQuery({ queryKey: [...keys.chat, 'names'], queryFn: chatNames, ...OPTIONS });
  const mail = useQuery({ queryKey: [...keys.mail, 'names'], queryFn: mailNames, ...OPTIONS });
  return {
    /** All clients by ID. */
    clients: new Map([...(chat.data?.clients ?? []), ...(mail.data ?? [])]),
    client: (id: string) => chat.data?.clients.get(id) ?? mail.data?.get(id) ?? id,
    channel: (id: string) => chat.data?.channels.get(id) ?? id,
  };
}

async function chatNames() {
  const clients = await getClients();
  const guilds = (await Promise.all(clients.map(({ id }) => getGuilds(id)))).flat();
  const channels = (await Promise.all(guilds.map(({ id }) => getChannels(id)))).flat();
  return {
    clients: new Map(clients.map(({ id, name }) => [id, name])),
    channels: new Map(channels.map(({ id, name }) => [id, `#${name}`])),
  };
}

async function mailNames() {
  const clients = await getMailClients();
  return new Map(clients.map(({ id, name }) => [id, name]));
}
