import { Button, Checkbox, Group, Modal, ScrollArea, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type ChatClient, importPlaces, type PlatformGuild, useChatChange, usePlatformGuilds } from '../../api/chat.ts';
import { Loaded } from '../../parts/Loaded.tsx';
import { tell } from '../../parts/tell.tsx';
import { chatTexts as texts } from '../../texts/chat.ts';
import { common } from '../../texts/common.ts';

/** Takes over guilds and channels that the bot sees. */
export function ImportDialog({ client, close }: { client: ChatClient; close(): void }) {
  const seen = usePlatformGuilds(client.id);
  // What was taken off the list; everything else is taken over.
  const [omitted, setOmitted] = useState<ReadonlySet<string>>(new Set());
  const change = useChatChange();
  const all = seen.data?.flatMap(({ channels }) => channels.map(({ platformId }) => platformId)) ?? [];
  const wanted = all.filter((id) => !omitted.has(id));
  const set = (ids: readonly string[], isWanted: boolean) => {
    const next = new Set(omitted);
    for (const id of ids) {
      if (isWanted) next.delete(id);
      else next.add(id);
    }
    setOmitted(next);
  };
  return (
    <Modal opened onClose={close} title={texts.importTitle(client.name)} centered>
      <Text size="sm" c="dimmed" mb="sm">
        {texts.importAbout}
      </Text>
      <Loaded query={seen}>
        {(guilds) =>
          guilds.length === 0 ? (
            <Text size="sm">{texts.importNone}</Text>
          ) : (
            <ScrollArea.Autosize mah={340} className="boxed" p="md">
              <Stack gap="lg">
                {guilds.map((guild) => (
                  <GuildChoice key={guild.platformId} guild={guild} omitted={omitted} set={set} />
                ))}
              </Stack>
            </ScrollArea.Autosize>
          )
        }
      </Loaded>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={close}>
          {common.action.cancel}
        </Button>
        <Button
          disabled={wanted.length === 0}
          loading={change.isPending}
          onClick={() =>
            change.mutate(async () => {
              const { guilds, channels } = await importPlaces(client.id, wanted);
              tell(texts.imported(guilds, channels));
              close();
            })
          }
        >
          {texts.importButton(wanted.length)}
        </Button>
      </Group>
    </Modal>
  );
}

interface GuildChoiceProps {
  guild: PlatformGuild;
  omitted: ReadonlySet<string>;
  set(ids: readonly string[], isWanted: boolean): void;
}

function GuildChoice({ guild, omitted, set }: GuildChoiceProps) {
  const ids = guild.channels.map(({ platformId }) => platformId);
  const count = ids.filter((id) => !omitted.has(id)).length;
  return (
    <Stack gap={8}>
      <Checkbox
        label={guild.name}
        fw={600}
        checked={count > 0 && count === ids.length}
        indeterminate={count > 0 && count < ids.length}
        onChange={(event) => set(ids, event.currentTarget.checked)}
      />
      {guild.channels.map(({ platformId, name }) => (
        <Checkbox
          key={platformId}
          ml="lg"
          label={`#${name}`}
          checked={!omitted.has(platformId)}
          onChange={(event) => set([platformId], event.currentTarget.checked)}
        />
      ))}
    </Stack>
  );
}
