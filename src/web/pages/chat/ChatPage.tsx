import { Button } from '@mantine/core';
import { MessagesSquare, Plus } from 'lucide-react';
import { useState } from 'react';
import { useChatClients } from '../../api/chat.ts';
import { Loaded } from '../../parts/Loaded.tsx';
import { Nothing } from '../../parts/Nothing.tsx';
import { Page } from '../../parts/Page.tsx';
import { Secret } from '../../parts/Secret.tsx';
import { chatTexts as texts } from '../../texts/chat.ts';
import { ClientDialog } from './ClientDialog.tsx';
import { ClientPanel } from './ClientPanel.tsx';

/** A relay key that was just made. */
export interface NewRelayKey {
  name: string;
  key: string;
}

/** The bots, and where they may post. */
export function ChatPage() {
  const clients = useChatClients();
  const [making, setMaking] = useState(false);
  const [relayKey, setRelayKey] = useState<NewRelayKey | null>(null);
  const button = (
    <Button leftSection={<Plus size={17} />} onClick={() => setMaking(true)}>
      {texts.newClient}
    </Button>
  );
  return (
    <Page title={texts.title} about={texts.about} actions={button}>
      <div className="panel-stack">
        {relayKey && (
          <Secret
            title={texts.relayTitle(relayKey.name)}
            about={texts.relayAbout}
            values={{ [texts.relayKeyName]: relayKey.key }}
            copy={texts.copy}
          />
        )}
        <Loaded query={clients}>
          {(list) =>
            list.length === 0 ? (
              <Nothing title={texts.emptyTitle} text={texts.emptyText} icon={<MessagesSquare size={28} />} />
            ) : (
              list.map((client) => <ClientPanel key={client.id} client={client} showKey={setRelayKey} />)
            )
          }
        </Loaded>
      </div>
      {making && <ClientDialog client={null} showKey={setRelayKey} close={() => setMaking(false)} />}
    </Page>
  );
}
