import { Button } from '@mantine/core';
import { MessagesSquare, Plus } from 'lucide-react';
import { useState } from 'react';
import { useChatClients } from '../../api/chat.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Page } from '../../components/Page.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { SecretNotice } from '../../components/SecretNotice.tsx';
import { chatTexts as texts } from '../../texts/chat.ts';
import { ClientDialog, type RelayKey } from './ClientDialog.tsx';
import { ClientPanel } from './ClientPanel.tsx';

/** Chat clients with the guilds and channels they may post to. */
export function ChatPage() {
  const clients = useChatClients();
  const [creating, setCreating] = useState(false);
  const [relayKey, setRelayKey] = useState<RelayKey | null>(null);
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={
        <Button leftSection={<Plus size={17} />} onClick={() => setCreating(true)}>
          {texts.newClient}
        </Button>
      }
    >
      <div className="panel-stack">
        {relayKey && (
          <SecretNotice
            title={texts.relayKeyTitle(relayKey.name)}
            description={texts.relayKeyShown}
            values={{ [texts.relayKeyName]: relayKey.key }}
          />
        )}
        <QueryContent query={clients}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState
                title={texts.emptyTitle}
                text={texts.emptyText}
                icon={<MessagesSquare size={28} />}
              />
            ) : (
              list.map((client) => <ClientPanel key={client.id} client={client} showKey={setRelayKey} />)
            )
          }
        </QueryContent>
      </div>
      {creating && <ClientDialog client={null} showKey={setRelayKey} close={() => setCreating(false)} />}
    </Page>
  );
}
