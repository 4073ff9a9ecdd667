import { Badge, Button, Group } from '@mantine/core';
import { Download, Plus } from 'lucide-react';
import { useState } from 'react';
import { addGuild, type ChatClient, changeClient, deleteClient, useChatChange, useGuilds } from '../../api/chat.ts';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { Loaded } from '../../parts/Loaded.tsx';
import { Panel } from '../../parts/Panel.tsx';
import { RowMenu } from '../../parts/RowMenu.tsx';
import { chatTexts as texts } from '../../texts/chat.ts';
import type { NewRelayKey } from './ChatPage.tsx';
import { ClientDialog } from './ClientDialog.tsx';
import { GuildSection } from './GuildSection.tsx';
import { ImportDialog } from './ImportDialog.tsx';
import { PauseNotice } from './PauseNotice.tsx';
import { PlaceDialog } from './PlaceDialog.tsx';

type Asked = 'edit' | 'import' | 'guild' | 'delete' | null;

/** One client with its guilds and their channels. */
export function ClientPanel({ client, showKey }: { client: ChatClient; showKey(key: NewRelayKey): void }) {
  const guilds = useGuilds(client.id);
  const change = useChatChange();
  const [asked, setAsked] = useState<Asked>(null);
  const { id, name, enabled, pause } = client;
  const set = (changes: Parameters<typeof changeClient>[1]) =>
    change.mutate(async () => {
      const saved = await changeClient(id, changes);
      if (saved.relayKey) showKey({ name, key: saved.relayKey });
    });
  const close = () => setAsked(null);
  return (
    <Panel
      title={name}
      flush
      about={
        <Group component="span" gap={6}>
          {texts.platforms[client.platform]}
          {client.sandbox && <Badge color="grape">{texts.sandbox}</Badge>}
          {client.hasRelayKey && <Badge color="gray">{texts.keyed}</Badge>}
          {pause && <Badge color="red">{texts.paused}</Badge>}
          {!enabled && <Badge color="red">{texts.disabled}</Badge>}
        </Group>
      }
      actions={
        <>
          {client.hasToken && (
            <Button size="xs" variant="default" leftSection={<Download size={15} />} onClick={() => setAsked('import')}>
              {texts.import}
            </Button>
          )}
          <Button size="xs" variant="default" leftSection={<Plus size={15} />} onClick={() => setAsked('guild')}>
            {texts.addGuild}
          </Button>
          <RowMenu
            label={texts.actionsFor(name)}
            items={[
              { label: texts.edit, act: () => setAsked('edit') },
              { label: enabled ? texts.disable : texts.enable, act: () => set({ enabled: !enabled }) },
              { label: texts.newRelayKey, act: () => set({ relayKey: true }) },
              client.hasRelayKey && { label: texts.noRelayKey, act: () => set({ relayKey: null }) },
              { label: texts.delete, act: () => setAsked('delete'), isDangerous: true },
            ]}
          />
        </>
      }
    >
      {pause && <PauseNotice pause={pause} lift={() => set({ paused: false })} />}
      <Loaded query={guilds}>
        {(list) =>
          list.length === 0 ? (
            <p className="panel-note">{texts.noGuilds}</p>
          ) : (
            list.map((guild) => <GuildSection key={guild.id} client={client} guild={guild} />)
          )
        }
      </Loaded>
      {asked === 'edit' && <ClientDialog client={client} showKey={showKey} close={close} />}
      {asked === 'import' && <ImportDialog client={client} close={close} />}
      {asked === 'guild' && <PlaceDialog title={texts.addGuild} add={(place) => addGuild(id, place)} close={close} />}
      {asked === 'delete' && (
        <ConfirmDialog
          title={texts.deleteClient(name)}
          text={texts.deleteClientText}
          button={texts.delete}
          confirm={() => change.mutateAsync(() => deleteClient(id))}
          close={close}
        />
      )}
    </Panel>
  );
}
