import { ActionIcon, Badge } from '@mantine/core';
import { Plus, Server } from 'lucide-react';
import { useState } from 'react';
import {
  addChannel,
  type ChatClient,
  type ChatGuild,
  changePlace,
  deletePlace,
  useChannels,
  useChatChange,
  useLookAgainAtChat,
} from '../../api/chat.ts';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { Loaded } from '../../parts/Loaded.tsx';
import { NameDialog } from '../../parts/NameDialog.tsx';
import { RowMenu } from '../../parts/RowMenu.tsx';
import { Row } from '../../parts/Rows.tsx';
import { chatTexts as texts } from '../../texts/chat.ts';
import { ChannelRow } from './ChannelRow.tsx';
import { PlaceDialog } from './PlaceDialog.tsx';

type Asked = 'channel' | 'rename' | 'delete' | null;

/** One guild and its channels. */
export function GuildSection({ client, guild }: { client: ChatClient; guild: ChatGuild }) {
  const channels = useChannels(guild.id);
  const change = useChatChange();
  const lookAgain = useLookAgainAtChat();
  const [asked, setAsked] = useState<Asked>(null);
  const { id, name, platformId, enabled } = guild;
  const close = () => setAsked(null);
  return (
    <ul className="rows guild" aria-label={name}>
      <Row
        icon={<Server size={18} />}
        title={name}
        about={<span className="address">{platformId}</span>}
        faded={!enabled}
        signs={!enabled && <Badge color="red">{texts.disabled}</Badge>}
        actions={
          <>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              onClick={() => setAsked('channel')}
              aria-label={texts.addChannelTo(name)}
              title={texts.addChannelTo(name)}
            >
              <Plus size={18} />
            </ActionIcon>
            <RowMenu
              label={texts.actionsFor(name)}
              items={[
                { label: texts.rename, act: () => setAsked('rename') },
                {
                  label: enabled ? texts.disable : texts.enable,
                  act: () => change.mutate(() => changePlace('guilds', id, { enabled: !enabled })),
                },
                { label: texts.delete, act: () => setAsked('delete'), isDangerous: true },
              ]}
            />
          </>
        }
      />
      <Loaded query={channels}>
        {(list) =>
          list.length === 0 ? (
            <li className="row channel-row row-about">{texts.noChannels}</li>
          ) : (
            list.map((channel) => <ChannelRow key={channel.id} client={client} guild={guild} channel={channel} />)
          )
        }
      </Loaded>
      {asked === 'channel' && <PlaceDialog title={texts.addChannelTo(name)} add={(place) => addChannel(id, place)} close={close} />}
      {asked === 'rename' && (
        <NameDialog
          title={texts.rename}
          label={texts.renamed}
          initial={name}
          button={texts.rename}
          submit={(wanted) => changePlace('guilds', id, { name: wanted }).then(lookAgain)}
          close={close}
        />
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          title={texts.deleteGuild(name)}
          text={texts.deleteGuildText}
          button={texts.delete}
          confirm={() => change.mutateAsync(() => deletePlace('guilds', id))}
          close={close}
        />
      )}
    </ul>
  );
}
