import { Badge, Button } from '@mantine/core';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { type Token, useEnd, useTokens } from '../../api/people.ts';
import { Actions, confirmedAction } from '../../components/actions.tsx';
import { Panel } from '../../components/Panel.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { Row, Rows } from '../../components/Rows.tsx';
import { SecretNotice } from '../../components/SecretNotice.tsx';
import { Time } from '../../components/Time.tsx';
import { accountTexts as texts } from '../../texts/accounts.ts';
import { TokenDialog } from './TokenDialog.tsx';

/** The personal access tokens of the account. */
export function TokensPanel() {
  const tokens = useTokens();
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<string | null>(null);
  return (
    <Panel
      title={texts.tokens}
      description={texts.tokensHint}
      flush
      actions={
        <Button
          size="xs"
          variant="default"
          leftSection={<Plus size={16} />}
          onClick={() => setCreating(true)}
        >
          {texts.newToken}
        </Button>
      }
    >
      {created && (
        <SecretNotice
          title={texts.createdTitle}
          description={texts.createdHint}
          values={{ [texts.token]: created }}
        />
      )}
      <QueryContent query={tokens}>
        {(list) =>
          list.length === 0 ? (
            <p className="panel-note">{texts.tokensEmpty}</p>
          ) : (
            <Rows label={texts.tokens}>
              {list.map((token) => (
                <TokenRow key={token.id} token={token} />
              ))}
            </Rows>
          )
        }
      </QueryContent>
      {creating && <TokenDialog onCreated={setCreated} close={() => setCreating(false)} />}
    </Panel>
  );
}

function TokenRow({ token: { id, name, scope, dateUsed, expiresAt } }: { token: Token }) {
  const end = useEnd('tokens');
  const isExpired = expiresAt !== null && new Date(expiresAt).getTime() < Date.now();
  return (
    <Row
      icon={<KeyRound size={18} />}
      title={name}
      faint={isExpired}
      badges={
        <>
          <Badge color="gray">{texts.scopes[scope]}</Badge>
          {isExpired && <Badge color="red">{texts.expired}</Badge>}
        </>
      }
      description={
        <>
          {dateUsed ? texts.lastUsed : texts.neverUsed} {dateUsed && <Time value={dateUsed} />}
          {expiresAt && (
            <>
              {` · ${texts.expires} `}
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
              label: texts.revoke,
              ariaLabel: texts.revokeItem(name),
              title: texts.revokeQuestion(name),
              text: texts.revokeText,
              confirm: () => end.mutateAsync(id),
            }),
          ]}
        />
      }
    />
  );
}
