import { Checkbox, Group, NativeSelect, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { filterOf, KINDS, type MessageFilter, STATUSES } from '../../api/messages.ts';
import { useNames } from '../../api/names.ts';
import { optionsOf } from '../../components/options.ts';

/** The filters of the message list and the open message, which are part of the address. */
export function useFilters() {
  const [parameters, setParameters] = useSearchParams();
  const filters = filterOf(parameters);
  const set = (name: keyof MessageFilter | 'message', value: string) =>
    setParameters(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: name !== 'message' },
    );
  return {
    filters,
    isFiltered: Object.values(filters).some(Boolean),
    set,
    openMessage: parameters.get('message'),
    /** Opens a message; '' closes it. */
    open: (id: string) => set('message', id),
  };
}

interface FiltersProps extends Pick<ReturnType<typeof useFilters>, 'filters' | 'set'> {
  /** Buttons after the filters. */
  children: ReactNode;
}

export function Filters({ filters, set, children }: FiltersProps) {
  const { clients } = useNames();
  const field = (name: keyof MessageFilter, label: string) => ({
    'aria-label': label,
    title: label,
    value: filters[name],
    onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value),
  });
  return (
    <Group gap="xs" mb="md">
      <TextInput
        type="search"
        className="filters-search"
        placeholder="Search texts and responses"
        leftSection={<Search size={16} />}
        {...field('search', 'Search texts and responses')}
      />
      <TextInput placeholder="Recipient" {...field('recipient', 'Recipient: address, chat or channel ID')} />
      <NativeSelect
        data={[{ value: '', label: 'All clients' }, ...optionsOf(Object.fromEntries(clients))]}
        {...field('clientId', 'Client')}
      />
      <NativeSelect
        data={[{ value: '', label: 'All kinds' }, ...optionsOf(KINDS)]}
        {...field('kind', 'Kind')}
      />
      <NativeSelect
        data={[{ value: '', label: 'Any status' }, ...optionsOf(STATUSES)]}
        {...field('status', 'Status')}
      />
      <TextInput type="datetime-local" {...field('since', 'Accepted since')} />
      <TextInput type="datetime-local" {...field('until', 'Accepted before')} />
      <Checkbox
        label="Sandbox only"
        checked={filters.sandbox === 'true'}
        onChange={(event) => set('sandbox', event.currentTarget.checked ? 'true' : '')}
      />
      {children}
    </Group>
  );
}
