import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { filterOf, KINDS, type MessageFilter, STATUSES } from '../../api/messages.ts';
import { useNames } from '../../api/names.ts';
import { optionsOf } from '../../components/options.ts';
import { TimeInput } from '../../components/TimeInput.tsx';
import { withParameters } from '../../components/with-parameters.ts';
import { texts } from './texts.ts';

/** The filters of the message list and the open message, which are part of the address. */
export function useFilters() {
  const [parameters, setParameters] = useSearchParams();
  const filters = filterOf(parameters);
  const set = (name: keyof MessageFilter | 'message', value: string) =>
    setParameters(withParameters({ [name]: value }), { replace: name !== 'message' });
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

/** The most frequently used filters, and a button that shows the others. */
export function Filters({ filters, set, children }: FiltersProps) {
  const { recipient, clientId, since, until, sandbox } = filters;
  const [expanded, { toggle }] = useDisclosure([recipient, clientId, since, until, sandbox].some(Boolean));
  const field = fieldsOf({ filters, set });
  return (
    <Stack gap="xs" mb="md">
      <Group gap="xs">
        <TextInput
          type="search"
          className="filters-search"
          placeholder={texts.search}
          aria-label={texts.search}
          leftSection={<Search size={16} />}
          {...field('search')}
        />
        <NativeSelect
          aria-label={texts.kind}
          data={[{ value: '', label: texts.allKinds }, ...optionsOf(KINDS)]}
          {...field('kind')}
        />
        <NativeSelect
          aria-label={texts.status}
          data={[{ value: '', label: texts.anyStatus }, ...optionsOf(STATUSES)]}
          {...field('status')}
        />
        <Button variant="default" aria-expanded={expanded} onClick={toggle}>
          {expanded ? texts.fewerFilters : texts.moreFilters}
        </Button>
        {children}
      </Group>
      {expanded && <MoreFilters filters={filters} set={set} />}
    </Stack>
  );
}

type Fields = Pick<FiltersProps, 'filters' | 'set'>;

function MoreFilters({ filters, set }: Fields) {
  const { clients } = useNames();
  const field = fieldsOf({ filters, set });
  return (
    <Group gap="xs" align="flex-end">
      <TextInput label={texts.recipient} placeholder={texts.recipientHint} {...field('recipient')} />
      <NativeSelect
        label={texts.client}
        data={[{ value: '', label: texts.allClients }, ...optionsOf(Object.fromEntries(clients))]}
        {...field('clientId')}
      />
      <TimeInput label={texts.since} {...field('since')} />
      <TimeInput label={texts.before} {...field('until')} />
      <Checkbox
        label={texts.sandboxOnly}
        pb={8}
        checked={filters.sandbox === 'true'}
        onChange={(event) => set('sandbox', event.currentTarget.checked ? 'true' : '')}
      />
    </Group>
  );
}

/** Returns a function with the value and the change handler of a filter's input. */
const fieldsOf =
  ({ filters, set }: Fields) =>
  (name: keyof MessageFilter) => ({
    value: filters[name],
    onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value),
  });
