import { Plus } from 'lucide-react';
import { useState } from 'react';
import { revokeToken, SCOPES, useAccountChange, useTokens } from '../../api/people.ts';
import { DialogButton } from '../../components/DialogButton.tsx';
import { Panel } from '../../components/Panel.tsx';
import { QueryRows } from '../../components/Rows.tsx';
import { NewTokenNotice } from '../../components/SecretNotice.tsx';
import { TokenRow } from '../../components/TokenRow.tsx';
import { TokenDialog } from './TokenDialog.tsx';

/** The personal access tokens of the account. */
export function TokensPanel() {
  const tokens = useTokens();
  const change = useAccountChange();
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
      {created && <NewTokenNotice token={created} />}
      <QueryRows
        query={tokens}
        label="Personal access tokens"
        row={(token) => (
          <TokenRow
            key={token.id}
            token={token}
            right={SCOPES[token.scope]}
            revoke={() => change.mutateAsync(() => revokeToken(token.id))}
          />
        )}
        empty={<p className="panel-note">No tokens yet.</p>}
      />
    </Panel>
  );
}
