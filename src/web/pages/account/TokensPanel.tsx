import { Badge } from '@mantine/core';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { revokeToken, SCOPES, type Token, useAccountChange, useTokens } from '../../api/people.ts';
import { Actions, confirmedAction } from '../../components/actions.tsx';
import { DialogButton } from '../../components/DialogButton.tsx';
import { Panel } from '../../components/Panel.tsx';
import { QueryRows, Row } from '../../components/Rows.tsx';
import { SecretNotice } from '../../components/SecretNotice.tsx';
import { Time } from '../../components/Time.tsx';
import { TokenDialog } from './TokenDialog.tsx';

/** The personal access tokens of the account. */
export function TokensPanel() {
  const tokens = useTokens();
  const [created, setCreated] = useState<string | null>(null);
  return (
    <Panel
      title="Personal access tokens"
      description={
        'For scripts that use your files. Send a token as “Authorization: Bearer TOKEN”. Tokens have no ' +
        'access to the administration.'
      }
      flush
      actions={
        <DialogButton
          label="New token"
          icon={<Plus size={16} />}
          size="xs"
          dialog={(close) => <TokenDialog onCreated={setCreated} close={close} />}
        />
      }
    >
      {created && (
        <SecretNotice
          title="New token"
          description="Copy the token now. It is shown only once."
          values={{ Token: created }}
        />
      )}
      <QueryRows
        query={tokens}
        label="Personal access tokens"
        row={(token) => <TokenRow key={token.id} token={token} />}
        empty={<p className="panel-note">No tokens yet.</p>}
      />
    </Panel>
  );
}

function TokenRow({ token: { id, name, scope, dateUsed, expiresAt } }: { token: Token }) {
  const change = useAccountChange();
  const isExpired = expiresAt !== null && new Date(expiresAt).getTime() < Date.now();
  return (
    <Row
      icon={<KeyRound size={18} />}
      title={name}
      faint={isExpired}
      badges={
        <>
          <Badge color="gray">{SCOPES[scope]}</Badge>
          {isExpired && <Badge color="red">Expired</Badge>}
        </>
      }
      description={
        <>
          {dateUsed ? 'Last used' : 'Never used'} {dateUsed && <Time value={dateUsed} />}
          {expiresAt && (
            <>
              {' · expires '}
              <Time value={expiresAt} />
            </>
          )}
        </>
      }
      actions={
        <Actions
          name={name}
          buttons={[
            confirmedAction({
              label: 'Revoke',
              ariaLabel: `Revoke ${name}`,
              title: `Revoke “${name}”?`,
              text: 'Scripts that use this token stop working at once.',
              confirm: () => change.mutateAsync(() => revokeToken(id)),
            }),
          ]}
        />
      }
    />
  );
}
