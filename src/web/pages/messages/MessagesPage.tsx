import { Button, Checkbox, Group, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Inbox, RotateCw, Search } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { type Message, useMessages, useResend } from '../../api/messages.ts';
import { Failure } from '../../parts/Failure.tsx';
import { Nothing } from '../../parts/Nothing.tsx';
import { Page } from '../../parts/Page.tsx';
import { tell } from '../../parts/tell.tsx';
import { Waiting } from '../../parts/Waiting.tsx';
import { messageTexts as texts } from '../../texts/messages.ts';
import { MessagePanel } from './MessagePanel.tsx';
import { MessageRow } from './MessageRow.tsx';

const SEARCH_MS = 300;

/** Every message of every kind, up to date by itself. */
export function MessagesPage() {
  const [parameters, setParameters] = useSearchParams();
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search, SEARCH_MS);
  const [kind, setKind] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const status = parameters.get('status') ?? '';
  const sandbox = parameters.get('sandbox') === 'true';
  const shown = parameters.get('message');
  const messages = useMessages({ kind, status, search: wanted, sandbox });
  const resend = useResend();
  const list = messages.data?.pages.flat() ?? [];
  const isFiltered = kind !== '' || status !== '' || sandbox || wanted !== '';

  const put = (name: string, value: string) =>
    setParameters((earlier) => {
      const next = new URLSearchParams(earlier);
      if (value === '') next.delete(name);
      else next.set(name, value);
      return next;
    });
  const choose = ({ id }: Message) =>
    setChosen((earlier) => {
      const next = new Set(earlier);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const again = async (ids: string[]) => {
    const { resent } = await resend.mutateAsync(ids);
    tell(texts.resent(resent.length));
    setChosen(new Set());
  };

  return (
    <Page title={texts.title} about={texts.about}>
      <Group gap="xs" mb="md" className="filters">
        <TextInput
          type="search"
          className="filters-search"
          placeholder={texts.search}
          aria-label={texts.search}
          leftSection={<Search size={16} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <NativeSelect
          aria-label={texts.kind}
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value)}
          data={[{ value: '', label: texts.all }, ...Object.entries(texts.kinds).map(([value, label]) => ({ value, label }))]}
        />
        <NativeSelect
          aria-label={texts.status}
          value={status}
          onChange={(event) => put('status', event.currentTarget.value)}
          data={[{ value: '', label: texts.allStatuses }, ...Object.entries(texts.statuses).map(([value, label]) => ({ value, label }))]}
        />
        <Checkbox
          label={texts.sandboxOnly}
          checked={sandbox}
          onChange={(event) => put('sandbox', event.currentTarget.checked ? 'true' : '')}
        />
        {chosen.size > 0 && (
          <Button leftSection={<RotateCw size={16} />} loading={resend.isPending} onClick={() => void again([...chosen]).catch(() => {})}>
            {texts.resendSome(chosen.size)}
          </Button>
        )}
      </Group>
      {messages.isPending && <Waiting />}
      {messages.isError && <Failure error={messages.error} retry={() => void messages.refetch()} />}
      {messages.isSuccess && list.length === 0 && (
        <Nothing
          title={isFiltered ? texts.noneTitle : texts.emptyTitle}
          text={isFiltered ? texts.noneText : texts.emptyText}
          icon={<Inbox size={28} />}
        />
      )}
      {list.length > 0 && (
        <ul className="rows boxed-rows" aria-label={texts.list}>
          {list.map((message) => (
            <MessageRow
              key={message.id}
              message={message}
              chosen={chosen.has(message.id)}
              choose={() => choose(message)}
              open={() => put('message', message.id)}
            />
          ))}
        </ul>
      )}
      {messages.hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" loading={messages.isFetchingNextPage} onClick={() => void messages.fetchNextPage()}>
            {texts.more}
          </Button>
        </Group>
      )}
      {shown && <MessagePanel id={shown} close={() => put('message', '')} resend={(id) => again([id])} />}
    </Page>
  );
}
