import { Badge, Button } from '@mantine/core';
import { Boxes } from 'lucide-react';
import { useState } from 'react';
import { changeMailClient, deleteMailClient, type MailClient, rotateSecret, useMailChange } from '../../api/mail.ts';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { RowMenu } from '../../parts/RowMenu.tsx';
import { Row } from '../../parts/Rows.tsx';
import { mailTexts as texts } from '../../texts/mail.ts';
import { ClientDrawer } from './ClientDrawer.tsx';
import type { NewCredentials } from './ClientsTab.tsx';
import { RequestDialog } from './RequestDialog.tsx';
import { SnippetDialog } from './SnippetDialog.tsx';
import { TestDialog } from './TestDialog.tsx';

interface ClientRowProps {
  client: MailClient;
  /** Its secret, if it was made just now. */
  secret: string | null;
  showSecret(credentials: NewCredentials): void;
}

type Asked = 'edit' | 'rotate' | 'delete' | 'snippet' | 'request' | 'test' | null;

/** One application: what it may, and a new secret for it. */
export function ClientRow({ client, secret, showSecret }: ClientRowProps) {
  const change = useMailChange();
  const [asked, setAsked] = useState<Asked>(null);
  const { id, name, services, enabled } = client;
  const close = () => setAsked(null);
  const rotate = () => change.mutateAsync(async () => showSecret({ ...(await rotateSecret(id)), name }));
  return (
    <Row
      icon={<Boxes size={18} />}
      title={name}
      faded={!enabled}
      signs={
        <>
          {services.map((service) => (
            <Badge key={service} color="gray">
              {texts.services[service]}
            </Badge>
          ))}
          {!enabled && <Badge color="red">{texts.disabled}</Badge>}
        </>
      }
      about={<span className="address">{id}</span>}
      actions={
        <>
          {mayShowSecret(client) ? (
            <Button size="xs" variant="default" aria-label={texts.snippetOf(name)} onClick={() => setAsked('snippet')}>
              {texts.snippet}
            </Button>
          ) : (
            <Button size="xs" variant="default" aria-label={texts.requestOf(name)} onClick={() => setAsked('request')}>
              {texts.request}
            </Button>
          )}
          <Button size="xs" variant="default" aria-label={texts.editClient(name)} onClick={() => setAsked('edit')}>
            {texts.edit}
          </Button>
          <RowMenu
            label={texts.actionsFor(name)}
            items={[
              { label: texts.test, act: () => setAsked('test') },
              { label: texts.rotate, act: () => setAsked('rotate') },
              {
                label: enabled ? texts.disable : texts.enable,
                act: () => change.mutate(() => changeMailClient(id, { enabled: !enabled })),
              },
              { label: texts.delete, act: () => setAsked('delete'), isDangerous: true },
            ]}
          />
        </>
      }
    >
      {asked === 'edit' && <ClientDrawer client={client} made={showSecret} close={close} />}
      {asked === 'snippet' && <SnippetDialog client={client} secret={secret} rotate={rotate} close={close} />}
      {asked === 'request' && <RequestDialog client={client} close={close} />}
      {asked === 'test' && <TestDialog client={client} close={close} />}
      {asked === 'rotate' && (
        <ConfirmDialog title={texts.rotateQuestion(name)} text={texts.rotateText} button={texts.rotate} confirm={rotate} close={close} />
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          title={texts.deleteClient(name)}
          text={texts.deleteClientText}
          button={texts.delete}
          confirm={() => change.mutateAsync(() => deleteMailClient(id))}
          close={close}
        />
      )}
    </Row>
  );
}

/** A secret that stands in a public page must open nothing but the contact form, and only from there. */
function mayShowSecret({ services, origins }: MailClient): boolean {
  return services.every((service) => service === 'contact') && origins.length > 0;
}
