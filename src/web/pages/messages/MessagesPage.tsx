import { Button } from '@mantine/core';
import { useDebouncedValue, useSet } from '@mantine/hooks';
import { Inbox, RotateCw } from 'lucide-react';
import { type Message, resend, useMessageChange, useMessages } from '../../api/messages.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { MoreButton } from '../../components/MoreButton.tsx';
import { notify } from '../../components/notify.tsx';
import { Page } from '../../components/Page.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { Rows } from '../../components/Rows.tsx';
import { countOf } from '../../formats.ts';
import { texts as common } from '../../texts.ts';
import { ExportButton } from './ExportButton.tsx';
import { Filters, useFilters } from './Filters.tsx';
import { MessagePanel } from './MessagePanel.tsx';
import { MessageRow } from './MessageRow.tsx';
import { texts } from './texts.ts';

const SEARCH_MS = 300;

/** All messages, updated automatically. */
export function MessagesPage() {
  const { filters, isFiltered, set, openMessage, open } = useFilters();
  const [search] = useDebouncedValue(filters.search, SEARCH_MS);
  const [recipient] = useDebouncedValue(filters.recipient, SEARCH_MS);
  const messages = useMessages({ ...filters, search, recipient });
  const selected = useSet<string>();
  // Only those that the person sees, also after the filters have changed.
  const chosen = (messages.data?.pages ?? [])
    .flatMap(({ items }) => items.map(({ id }) => id))
    .filter((id) => selected.has(id));
  const change = useMessageChange();
  const resendAll = (ids: string[]) =>
    change.mutate(async () => {
      const { resent } = await resend(ids);
      notify(
        resent.length === 0 ? texts.noneSendable : texts.sendingAgain(countOf(resent.length, 'message')),
      );
      selected.clear();
    });

  return (
    <Page title={common.messages} description={texts.description} actions={<ExportButton filter={filters} />}>
      <Filters filters={filters} set={set}>
        {chosen.length > 0 && (
          <Button
            leftSection={<RotateCw size={16} />}
            loading={change.isPending}
            onClick={() => resendAll(chosen)}
          >
            {texts.sendSelected(chosen.length)}
          </Button>
        )}
      </Filters>
      <QueryContent query={messages}>
        {({ pages }) => (
          <MessageList
            messages={pages.flatMap(({ items }) => items)}
            isPartial={messages.hasNextPage}
            {...{ isFiltered, selected, open }}
          />
        )}
      </QueryContent>
      <MoreButton pages={messages} label={texts.loadOlder} />
      {openMessage && (
        <MessagePanel
          id={openMessage}
          close={() => open('')}
          isResending={change.isPending}
          resend={(id) => resendAll([id])}
        />
      )}
    </Page>
  );
}

interface MessageListProps {
  messages: readonly Message[];
  /** Older messages may match. */
  isPartial: boolean;
  isFiltered: boolean;
  selected: Set<string>;
  open(id: string): void;
}

function MessageList({ messages, isPartial, isFiltered, selected, open }: MessageListProps) {
  if (messages.length === 0 && isPartial)
    return <EmptyState title={texts.noMatchNewest} text={texts.loadOlderText} icon={<Inbox size={28} />} />;
  if (messages.length === 0)
    return (
      <EmptyState
        title={isFiltered ? texts.noMatch : texts.noMessages}
        text={isFiltered ? texts.changeFilters : texts.noMessagesText}
        icon={<Inbox size={28} />}
      />
    );
  return (
    <Rows boxed label={common.messages}>
      {messages.map((message) => (
        <MessageRow
          key={message.id}
          message={message}
          selected={selected.has(message.id)}
          toggle={() => selected.delete(message.id) || selected.add(message.id)}
          open={() => open(message.id)}
        />
      ))}
    </Rows>
  );
}
