import { Badge, Button, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { makeToken, type Token, useEnd, useLookAgain, useTokens } from '../../api/people.ts';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { Loaded } from '../../parts/Loaded.tsx';
import { Panel } from '../../parts/Panel.tsx';
import { Row, Rows } from '../../parts/Rows.tsx';
import { Secret } from '../../parts/Secret.tsx';
import { Time } from '../../parts/Time.tsx';
import { useFields } from '../../parts/useFields.ts';
import { common } from '../../texts/common.ts';
import { accountTexts as texts } from '../../texts/people.ts';

const CHOICES_OF_DAYS = [7, 30, 90, 365];

/** Tokens for scripts: made, shown once, revoked. */
export function TokensPanel() {
  const tokens = useTokens();
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  return (
    <Panel
      title={texts.tokens}
      about={texts.tokensAbout}
      flush
      actions={
        <Button size="xs" variant="default" leftSection={<Plus size={16} />} onClick={() => setMaking(true)}>
          {texts.newToken}
        </Button>
      }
    >
      {made && <Secret title={texts.madeTitle} about={texts.madeAbout} values={{ [texts.token]: made }} copy={texts.copy} />}
      <Loaded query={tokens}>
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
      </Loaded>
      {making && <TokenDialog made={setMade} close={() => setMaking(false)} />}
    </Panel>
  );
}

function TokenRow({ token }: { token: Token }) {
  const [asking, setAsking] = useState(false);
  const end = useEnd('tokens');
  const { id, name, scope, dateUsed, expiresAt } = token;
  const isOver = expiresAt !== null && new Date(expiresAt).getTime() < Date.now();
  return (
    <Row
      icon={<KeyRound size={18} />}
      title={name}
      faded={isOver}
      signs={
        <>
          <Badge color="gray">{texts.scopes[scope]}</Badge>
          {isOver && <Badge color="red">{texts.expired}</Badge>}
        </>
      }
      about={
        <>
          {dateUsed ? (
            <>
              {texts.lastUsed} <Time value={dateUsed} />
            </>
          ) : (
            texts.neverUsed
          )}
          {expiresAt && (
            <>
              {' · '}
              {texts.expires} <Time value={expiresAt} />
            </>
          )}
        </>
      }
      actions={
        <Button size="xs" variant="subtle" color="red" aria-label={texts.revokeOf(name)} onClick={() => setAsking(true)}>
          {texts.revoke}
        </Button>
      }
    >
      {asking && (
        <ConfirmDialog
          title={texts.revokeQuestion(name)}
          text={texts.revokeText}
          button={texts.revoke}
          confirm={() => end.mutateAsync(id)}
          close={() => setAsking(false)}
        />
      )}
    </Row>
  );
}

function TokenDialog({ made, close }: { made(token: string): void; close(): void }) {
  const fields = useFields({ name: '', scope: 'write', days: '90' });
  const lookAgain = useLookAgain();
  const submit = fields.submit(async ({ name, scope, days }) => {
    const { token } = await makeToken({ name, scope: scope === 'read' ? 'read' : 'write', days: Number(days) });
    made(token);
    await lookAgain();
    close();
  });
  return (
    <Modal opened onClose={close} title={texts.newToken} centered>
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput label={texts.tokenName} required data-autofocus autoComplete="off" {...fields.text('name')} />
          <Group grow>
            <NativeSelect
              label={texts.scope}
              data={Object.entries(texts.scopes).map(([value, label]) => ({ value, label }))}
              {...fields.text('scope')}
            />
            <NativeSelect
              label={texts.days}
              data={CHOICES_OF_DAYS.map((days) => ({ value: String(days), label: texts.daysOf(days) }))}
              {...fields.text('days')}
            />
          </Group>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {common.action.cancel}
            </Button>
            <Button type="submit" loading={fields.busy}>
              {texts.make}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
