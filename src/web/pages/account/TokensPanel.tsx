import { Plus } from 'lucide-react';
import { useState } from 'react';
import { revokeToken, SCOPES, useAccountChange, useTokens } from '../../api/account.ts';
import { ApiDocs } from '../../components/ApiDocs.tsx';
import { DialogButton } from '../../components/DialogButton.tsx';
import { Panel } from '../../components/Panel.tsx';
import { QueryRows } from '../../components/Rows.tsx';
import { NewTokenNotice } from '../../components/SecretNotice.tsx';
import { TokenRow } from '../../components/TokenRow.tsx';
import { texts as common } from '../../texts.ts';
import { TokenDialog } from './TokenDialog.tsx';
import { texts } from './texts.ts';

/** The personal access tokens of the account. */
export function TokensPanel() {
  const tokens = useTokens();
  const change = useAccountChange();
  const [created, setCreated] = useState<string | null>(null);
  return (
    <Panel
      title={texts.tokens}
      description={
        <>
          {texts.tokensText} <ApiDocs />
        </>
      }
      flush
      actions={
        <DialogButton
          label={common.newToken}
          icon={<Plus size={16} />}
          size="xs"
          dialog={(close) => <TokenDialog onCreated={setCreated} close={close} />}
        />
      }
    >
      {created && <NewTokenNotice token={created} />}
      <QueryRows
        query={tokens}
        label={texts.tokens}
        row={(token) => (
          <TokenRow
            key={token.id}
            token={token}
            right={SCOPES[token.scope]}
            revoke={() => change.mutateAsync(() => revokeToken(token.id))}
          />
        )}
        empty={<p className="panel-note">{common.noTokens}</p>}
      />
    </Panel>
  );
}
