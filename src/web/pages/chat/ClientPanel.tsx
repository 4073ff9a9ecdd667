import { Anchor, Badge, Group } from '@mantine/core';
import { Download, Plus } from 'lucide-react';
import {
  addGuild,
  type ChatClient,
  type ClientChanges,
  changeClient,
  deleteClient,
  PLATFORMS,
  useChatChange,
  useGuilds,
} from '../../api/chat.ts';
import { Actions, deleteAction, enableAction } from '../../components/actions.tsx';
import { Panel } from '../../components/Panel.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { DisabledBadge } from '../../components/Rows.tsx';
import { texts as common } from '../../texts.ts';
import { AddByIdDialog } from './AddByIdDialog.tsx';
import { ClientDialog, type RelayKey } from './ClientDialog.tsx';
import { GuildSection } from './GuildSection.tsx';
import { ImportDialog } from './ImportDialog.tsx';
import { PauseNotice } from './PauseNotice.tsx';
import { texts } from './texts.ts';

interface ClientPanelProps {
  client: ChatClient;
  showKey(key: RelayKey): void;
}

/** A client with its guilds and channels. */
export function ClientPanel({ client, showKey }: ClientPanelProps) {
  const guilds = useGuilds(client.id);
  const change = useChatChange();
  const { id, name, enabled, pause } = client;
  const set = (changes: ClientChanges) =>
    change.mutate(async () => {
      const { relayKey } = await changeClient(id, changes);
      if (relayKey) showKey({ name, key: relayKey });
    });
  return (
    <Panel
      id={id}
      title={name}
      flush
      description={
        <Group component="span" gap={6}>
          {PLATFORMS[client.platform]}
          {client.sandbox && <Badge color="grape">{common.sandbox}</Badge>}
          {client.hasRelayKey && <Badge color="gray">{texts.relayKey}</Badge>}
          {pause && <Badge color="red">{texts.paused}</Badge>}
          {!enabled && <DisabledBadge />}
          {client.inviteUrl && (
            <Anchor href={client.inviteUrl} target="_blank" rel="noreferrer" size="sm">
              {texts.inviteBot}
            </Anchor>
          )}
        </Group>
      }
      actions={<ClientActions client={client} set={set} showKey={showKey} />}
    >
      {pause && <PauseNotice pause={pause} resume={() => set({ paused: false })} />}
      <QueryContent query={guilds}>
        {(list) =>
          list.length === 0 ? (
            <p className="panel-note">{client.hasToken ? texts.noServersImport : texts.noServers}</p>
          ) : (
            list.map((guild) => <GuildSection key={guild.id} client={client} guild={guild} />)
          )
        }
      </QueryContent>
    </Panel>
  );
}

interface ClientActionsProps extends ClientPanelProps {
  set(changes: ClientChanges): void;
}

function ClientActions({ client, set, showKey }: ClientActionsProps) {
  const change = useChatChange();
  const { id, name, enabled } = client;
  return (
    <Actions
      name={name}
      buttons={[
        client.hasToken && {
          label: texts.import,
          icon: <Download size={15} />,
          dialog: (close) => <ImportDialog client={client} close={close} />,
        },
        {
          label: texts.addServer,
          icon: <Plus size={15} />,
          dialog: (close) => (
            <AddByIdDialog
              title={texts.addServer}
              idLabel={texts.serverId}
              add={(guild) => addGuild(id, guild)}
              close={close}
            />
          ),
        },
      ]}
      menu={[
        {
          label: common.edit,
          dialog: (close) => <ClientDialog client={client} showKey={showKey} close={close} />,
        },
        enableAction(enabled, (value) => set({ enabled: value })),
        { label: texts.newRelayKey, run: () => set({ relayKey: true }) },
        client.hasRelayKey && { label: texts.removeKey, run: () => set({ relayKey: null }) },
        deleteAction({
          title: common.deleteClient(name),
          text: texts.deleteClientText,
          confirm: () => change.mutateAsync(() => deleteClient(id)),
        }),
      ]}
    />
  );
}
