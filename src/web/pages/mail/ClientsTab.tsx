import { Button, Group } from '@mantine/core';
import { Mail, Plus } from 'lucide-react';
import { useState } from 'react';
import { useMailClients } from '../../api/mail.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { Rows } from '../../components/Rows.tsx';
import { SecretNotice } from '../../components/SecretNotice.tsx';
import { ClientDrawer, type NewCredentials } from './ClientDrawer.tsx';
import { ClientRow } from './ClientRow.tsx';

/** The applications that may send. */
export function ClientsTab() {
  const clients = useMailClients();
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<NewCredentials | null>(null);
  return (
    <div className="panel-stack">
      <Group justify="flex-end">
        <Button leftSection={<Plus size={17} />} onClick={() => setCreating(true)}>
          New client
        </Button>
      </Group>
      {created && (
        <SecretNotice
          title={`Credentials for ${created.name}`}
          description="Copy the secret now. It is shown only once."
          values={{ ClientId: created.clientId, ClientSecret: created.clientSecret }}
        />
      )}
      <QueryContent query={clients}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState
              title="No clients yet"
              text="A client is an application that signs in with an ID and a secret."
              icon={<Mail size={28} />}
            />
          ) : (
            <Rows boxed label="Clients">
              {list.map((client) => (
                <ClientRow
                  key={client.id}
                  client={client}
                  secret={created?.clientId === client.id ? created.clientSecret : null}
                  showSecret={setCreated}
                />
              ))}
            </Rows>
          )
        }
      </QueryContent>
      {creating && <ClientDrawer client={null} onCreated={setCreated} close={() => setCreating(false)} />}
    </div>
  );
}
