import { Badge } from '@mantine/core';
import { Boxes } from 'lucide-react';
import {
  changeMailClient,
  combinesContact,
  deleteMailClient,
  type MailClient,
  rotateSecret,
  SERVICES,
  useMailChange,
} from '../../api/mail.ts';
import {
  type Action,
  Actions,
  confirmedAction,
  deleteAction,
  enableAction,
} from '../../components/actions.tsx';
import { Row } from '../../components/Rows.tsx';
import { ClientDrawer, type NewCredentials } from './ClientDrawer.tsx';
import { RequestDialog } from './RequestDialog.tsx';
import { NoSnippetDialog, SnippetDialog } from './SnippetDialog.tsx';
import { TestDialog } from './TestDialog.tsx';

interface ClientRowProps {
  client: MailClient;
  /** Its secret, if it was created on this page. */
  secret: string | null;
  showSecret(credentials: NewCredentials): void;
}

export function ClientRow({ client, secret, showSecret }: ClientRowProps) {
  const change = useMailChange();
  const { id, name, services, enabled } = client;
  const rotate = () => change.mutateAsync(async () => showSecret({ ...(await rotateSecret(id)), name }));
  const form: Action = {
    label: 'Form',
    ariaLabel: `Form for ${name}`,
    dialog: (close) =>
      combinesContact(services) ? (
        <NoSnippetDialog client={client} close={close} />
      ) : (
        <SnippetDialog client={client} secret={secret} rotate={rotate} close={close} />
      ),
  };
  const hasForm = services.includes('contact') && client.origins.length > 0;
  const isForm = hasForm && !combinesContact(services);
  const sample: Action = isForm
    ? form
    : {
        label: 'Request',
        ariaLabel: `Request for ${name}`,
        dialog: (close) => <RequestDialog client={client} close={close} />,
      };
  return (
    <Row
      icon={<Boxes size={18} />}
      title={name}
      disabled={!enabled}
      badges={services.map((service) => (
        <Badge key={service} color="gray">
          {SERVICES[service]}
        </Badge>
      ))}
      description={<span className="address">{id}</span>}
      actions={
        <Actions
          name={name}
          buttons={[
            sample,
            {
              label: 'Edit',
              ariaLabel: `Edit ${name}`,
              dialog: (close) => <ClientDrawer client={client} onCreated={showSecret} close={close} />,
            },
          ]}
          menu={[
            ...(hasForm && !isForm ? [form] : []),
            { label: 'Send test', dialog: (close) => <TestDialog client={client} close={close} /> },
            confirmedAction({
              label: 'New secret',
              title: `Create a new secret for ${name}?`,
              text: 'The previous secret keeps working until you create another one.',
              confirm: rotate,
            }),
            enableAction(enabled, (value) => change.mutate(() => changeMailClient(id, { enabled: value }))),
            deleteAction({
              title: `Delete client “${name}”?`,
              text: 'The application can no longer send. Its messages stay visible.',
              confirm: () => change.mutateAsync(() => deleteMailClient(id)),
            }),
          ]}
        />
      }
    />
  );
}
