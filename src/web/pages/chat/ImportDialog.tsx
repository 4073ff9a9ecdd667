import { Button, Checkbox, Group, ScrollArea, Stack, Text } from '@mantine/core';
import { useSet } from '@mantine/hooks';
import {
  type ChatClient,
  importTargets,
  type PlatformGuild,
  useChatChange,
  usePlatformGuilds,
} from '../../api/chat.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { notify } from '../../components/notify.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { useUnsaved } from '../../components/unsaved.ts';
import { countOf } from '../../formats.ts';
import { texts as common } from '../../texts.ts';
import { texts } from './texts.ts';

/** Imports the guilds and channels that the bot can see. */
export function ImportDialog({ client, close }: { client: ChatClient; close(): void }) {
  const platformGuilds = usePlatformGuilds(client.id);
  const excluded = useSet<string>();
  const change = useChatChange();
  useUnsaved(excluded.size > 0);
  const selected = (platformGuilds.data ?? [])
    .flatMap(({ channels }) => channels.map(({ platformId }) => platformId))
    .filter((id) => !excluded.has(id));
  const select = (ids: readonly string[], isSelected: boolean) => {
    for (const id of ids) isSelected ? excluded.delete(id) : excluded.add(id);
  };
  const runImport = async () => {
    const { guilds, channels } = await importTargets(client.id, selected);
    notify(texts.imported(countOf(guilds, 'server'), countOf(channels, 'channel')));
    close();
  };
  return (
    <Dialog close={close} title={texts.importTitle}>
      <Text size="sm" c="dimmed" mb="sm">
        {texts.importText}
      </Text>
      <QueryContent query={platformGuilds}>
        {(guilds) =>
          guilds.length === 0 ? (
            <Text size="sm">{texts.noGuilds}</Text>
          ) : (
            <ScrollArea.Autosize mah={340} className="boxed" p="md">
              <Stack gap="lg">
                {guilds.map((guild) => (
                  <GuildChoice key={guild.platformId} guild={guild} excluded={excluded} select={select} />
                ))}
              </Stack>
            </ScrollArea.Autosize>
          )
        }
      </QueryContent>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={close}>
          {common.cancel}
        </Button>
        <Button
          disabled={selected.length === 0}
          loading={change.isPending}
          onClick={() => change.mutate(runImport)}
        >
          {texts.importCount(countOf(selected.length, 'channel'))}
        </Button>
      </Group>
    </Dialog>
  );
}

interface GuildChoiceProps {
  guild: PlatformGuild;
  excluded: ReadonlySet<string>;
  select(ids: readonly string[], isSelected: boolean): void;
}

function GuildChoice({ guild, excluded, select }: GuildChoiceProps) {
  const ids = guild.channels.map(({ platformId }) => platformId);
  const count = ids.filter((id) => !excluded.has(id)).length;
  return (
    <Stack gap={8}>
      <Checkbox
        label={guild.name}
        fw={600}
        checked={count > 0 && count === ids.length}
        indeterminate={count > 0 && count < ids.length}
        onChange={(event) => select(ids, event.currentTarget.checked)}
      />
      {guild.channels.map(({ platformId, name }) => (
        <Checkbox
          key={platformId}
          ml="lg"
          label={`#${name}`}
          checked={!excluded.has(platformId)}
          onChange={(event) => select([platformId], event.currentTarget.checked)}
        />
      ))}
    </Stack>
  );
}
