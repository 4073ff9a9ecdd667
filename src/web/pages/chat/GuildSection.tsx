import { Plus, Server } from 'lucide-react';
import {
  addChannel,
  type ChatClient,
  type ChatGuild,
  changeTarget,
  deleteTarget,
  useChannels,
  useChatChange,
  useRefreshChat,
} from '../../api/chat.ts';
import { Actions, deleteAction, enableAction, renameAction } from '../../components/actions.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { Row } from '../../components/Rows.tsx';
import { AddByIdDialog } from './AddByIdDialog.tsx';
import { ChannelRow } from './ChannelRow.tsx';
import { texts } from './texts.ts';

/** A guild (Discord server) and its channels. */
export function GuildSection({ client, guild }: { client: ChatClient; guild: ChatGuild }) {
  const channels = useChannels(guild.id);
  const { name, platformId, enabled } = guild;
  return (
    <ul className="rows guild" aria-label={name}>
      <Row
        icon={<Server size={18} />}
        title={name}
        description={<span className="address">{platformId}</span>}
        disabled={!enabled}
        actions={<GuildActions guild={guild} />}
      />
      <QueryContent query={channels}>
        {(list) =>
          list.length === 0 ? (
            <li className="row channel-row row-description">{texts.noChannels}</li>
          ) : (
            list.map((channel) => (
              <ChannelRow key={channel.id} client={client} guild={guild} channel={channel} />
            ))
          )
        }
      </QueryContent>
    </ul>
  );
}

function GuildActions({ guild: { id, name, enabled } }: { guild: ChatGuild }) {
  const change = useChatChange();
  const refresh = useRefreshChat();
  return (
    <Actions
      name={name}
      buttons={[
        {
          label: texts.addChannel,
          ariaLabel: texts.addChannelTo(name),
          icon: <Plus size={15} />,
          dialog: (close) => (
            <AddByIdDialog
              title={texts.addChannelTo(name)}
              idLabel={texts.channelId}
              add={(channel) => addChannel(id, channel)}
              close={close}
            />
          ),
        },
      ]}
      menu={[
        renameAction(name, (newName) => changeTarget('guilds', id, { name: newName }).then(refresh)),
        enableAction(enabled, (value) => change.mutate(() => changeTarget('guilds', id, { enabled: value }))),
        deleteAction({
          title: texts.deleteServer(name),
          text: texts.deleteServerText,
          confirm: () => change.mutateAsync(() => deleteTarget('guilds', id)),
        }),
      ]}
    />
  );
}
