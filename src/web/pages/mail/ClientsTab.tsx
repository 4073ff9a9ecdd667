import { Button, Group } from '@mantine/core';
import { Mail, Plus } from 'lucide-react';
import { useState } from 'react';
import { type Credentials, useMailClients } from '../../api/mail.ts';
import { Loaded } from '../../parts/Loaded.tsx';
import { Nothing } from '../../parts/Nothing.tsx';
import { Secret } from '../../parts/Secret.tsx';
import { mailTexts as texts } from '../../texts/mail.ts';
import { ClientDrawer } from './ClientDrawer.tsx';
import { ClientRow } from './ClientRow.tsx';

/** Credentials that were just made, and whose. */
export type NewCredentials = Credentials & { name: string };

/** The applications that may send. */
export function ClientsTab() {
  const clients = useMailClients();
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<NewCredentials | null>(null);
  return (
    <div className="panel-stack">
      <Group justify="flex-end">
        <Button leftSection={<Plus size={17} />} onClick={() => setMaking(true)}>
          {texts.newClient}
        </Button>
      </Group>
      {made && (
        <Secret
          title={texts.secretTitle(made.name)}
          about={texts.secretAbout}
          values={{ ClientId: made.clientId, ClientSecret: made.clientSecret }}
          copy={texts.copy}
        />
      )}
      <Loaded query={clients}>
        {(list) =>
          list.length === 0 ? (
            <Nothing title={texts.clientsEmpty} text={texts.clientsEmptyText} icon={<Mail size={28} />} />
          ) : (
            <ul className="rows boxed-rows" aria-label={texts.tabs.clients}>
              {list.map((client) => (
                <ClientRow
                  key={client.id}
                  client={client}
                  secret={made?.clientId === client.id ? made.clientSecret : null}
                  showSecret={setMade}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      {making && <ClientDrawer client={null} made={setMade} close={() => setMaking(false)} />}
    </div>
  );
}
