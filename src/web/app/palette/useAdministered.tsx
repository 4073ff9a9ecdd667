import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Boxes, MessagesSquare, ScrollText, UserRound } from 'lucide-react';
import { useLocation } from 'wouter';
import { useChatClients } from '../../api/chat.ts';
import { keys } from '../../api/keys.ts';
import { useMailClients } from '../../api/mail.ts';
import { STATUSES, searchMessages } from '../../api/messages.ts';
import { usePeople } from '../../api/people.ts';
import type { Me } from '../../api/session.ts';
import { addressOfShown } from '../../components/useShown.ts';
import { texts as common } from '../../texts.ts';
import { groupOf, matching, type PaletteGroup } from './items.ts';
import { texts } from './texts.ts';

/** Pause in typing before a search for messages, which reads many of them. */
const TYPING_MS = 300;
const MESSAGES = 5;
const SHOWN = 5;

/** The people, clients and messages that match, for administrators. */
export function useAdministered({ role }: Me, query: string): PaletteGroup[] {
  const [, navigate] = useLocation();
  const enabled = role === 'admin' && query.trim() !== '';
  const people = usePeople({ enabled }).data ?? [];
  const chat = useChatClients({ enabled }).data ?? [];
  const mail = useMailClients({ enabled }).data ?? [];
  const [search] = useDebouncedValue(query.trim(), TYPING_MS);
  const messages = useQuery({
    queryKey: [...keys.search, 'messages', search],
    queryFn: ({ signal }) => searchMessages(search, MESSAGES, signal),
    enabled: enabled && search !== '',
    retry: false,
  });
  if (!enabled) return [];

  const persons = people.map(({ id, name, email }) => ({
    id,
    label: name || email,
    description: name ? email : undefined,
    icon: <UserRound size={18} />,
    run: () => navigate(addressOfShown('/admin/people', id)),
  }));
  const clients = [
    ...mail.map(({ id, name }) => ({
      id,
      label: name,
      description: texts.mailClient,
      icon: <Boxes size={18} />,
      run: () => navigate(addressOfShown('/admin/mail', id)),
    })),
    ...chat.map(({ id, name }) => ({
      id,
      label: name,
      description: texts.chatClient,
      icon: <MessagesSquare size={18} />,
      run: () => navigate(addressOfShown('/admin/chat', id)),
    })),
  ];
  const isCurrent = search === query.trim();
  const found = (isCurrent ? (messages.data ?? []) : []).map(({ id, title, to, status }) => ({
    id,
    label: title || to.join(', '),
    description: `${to.join(', ')} · ${STATUSES[status]}`,
    icon: <ScrollText size={18} />,
    run: () => navigate(`/admin/messages?message=${id}`),
  }));
  return [
    ...firstOf(matching(common.people, persons, query)),
    ...firstOf(matching(common.clients, clients, query)),
    ...groupOf(common.messages, found),
  ];
}

const firstOf = (groups: readonly PaletteGroup[]) =>
  groups.map((group) => ({ ...group, items: group.items.slice(0, SHOWN) }));
