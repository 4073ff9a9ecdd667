import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { Search } from 'lucide-react';
import { useEffect } from 'react';
import type { Me } from '../../api/session.ts';
import { useSafeClose } from '../../components/unsaved.ts';
import { texts } from './texts.ts';
import { useAdministered } from './useAdministered.tsx';
import { useCommands } from './useCommands.tsx';
import { useFound } from './useFound.tsx';
import { useTeams } from './useTeams.tsx';

const [store, spotlight] = createSpotlight();

interface PaletteProps {
  me: Me;
  query: string;
  setQuery(query: string): void;
  close(): void;
  showKeys(): void;
}

/** Finds pages, actions, workspaces, folders, files, people, clients and messages, and opens them. */
export function Palette({ me, query, setQuery, close, showKeys }: PaletteProps) {
  useEffect(() => {
    spotlight.open();
    return spotlight.close;
  }, []);
  const groups = [
    ...useCommands(me, query, showKeys),
    ...useTeams(me, query),
    ...useFound(me, query),
    ...useAdministered(me, query),
  ];
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={useSafeClose(close)}
      scrollable
      centered={false}
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': texts.search } }}
    >
      <Spotlight.Search
        aria-label={texts.search}
        placeholder={texts.search}
        leftSection={<Search size={18} />}
      />
      <Spotlight.ActionsList>
        {groups.map(({ label, items }) => (
          <Spotlight.ActionsGroup key={label} label={label}>
            {items.map((item) => (
              <Spotlight.Action
                key={item.id}
                label={item.label}
                description={item.description}
                leftSection={item.icon}
                onClick={item.run}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && <Spotlight.Empty>{texts.nothingFound}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
