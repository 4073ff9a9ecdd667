import { Checkbox, Group, NativeSelect, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'wouter';
import { KINDS, type MessageFilter, type MessageStatus, STATUSES } from '../../api/messages.ts';
import { optionsOf } from '../../components/options.ts';

/** The filters of the message list and the open message. Status, sandbox and message are part of the address. */
export function useFilters() {
  const [parameters, setParameters] = useSearchParams();
  const [typed, setTyped] = useState({ kind: '', search: '' });
  const filters: MessageFilter = {
    ...typed,
    status: statusOf(parameters.get('status')),
    sandbox: parameters.get('sandbox') === 'true',
  };
  const setParameter = (name: string, value: string) =>
    setParameters((before) => {
      const next = new URLSearchParams(before);
      if (value === '') next.delete(name);
      else next.set(name, value);
      return next;
    });
  return {
    filters,
    isFiltered: Object.values(filters).some(Boolean),
    set: {
      kind: (kind: string) => setTyped({ ...typed, kind }),
      search: (search: string) => setTyped({ ...typed, search }),
      status: (status: string) => setParameter('status', status),
      sandbox: (isOnly: boolean) => setParameter('sandbox', isOnly ? 'true' : ''),
    },
    openMessage: parameters.get('message'),
    /** Opens a message; '' closes it. */
    open: (id: string) => setParameter('message', id),
  };
}

/** Ignores an unknown status in the address. */
function statusOf(text: string | null): MessageFilter['status'] {
  return text !== null && text in STATUSES ? (text as MessageStatus) : '';
}

interface FiltersProps extends Pick<ReturnType<typeof useFilters>, 'filters' | 'set'> {
  /** Buttons after the filters. */
  children: ReactNode;
}

export function Filters({ filters, set, children }: FiltersProps) {
  return (
    <Group gap="xs" mb="md">
      <TextInput
        type="search"
        className="filters-search"
        placeholder="Search texts and responses"
        aria-label="Search texts and responses"
        leftSection={<Search size={16} />}
        value={filters.search}
        onChange={(event) => set.search(event.currentTarget.value)}
      />
      <NativeSelect
        aria-label="Kind"
        value={filters.kind}
        onChange={(event) => set.kind(event.currentTarget.value)}
        data={[{ value: '', label: 'All kinds' }, ...optionsOf(KINDS)]}
      />
      <NativeSelect
        aria-label="Status"
        value={filters.status}
        onChange={(event) => set.status(event.currentTarget.value)}
        data={[{ value: '', label: 'Any status' }, ...optionsOf(STATUSES)]}
      />
      <Checkbox
        label="Sandbox only"
        checked={filters.sandbox}
        onChange={(event) => set.sandbox(event.currentTarget.checked)}
      />
      {children}
    </Group>
  );
}
