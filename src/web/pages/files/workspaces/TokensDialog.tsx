import { Button, NativeSelect, Stack, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import {
  createWorkspaceToken,
  MEMBER_ROLES,
  revokeWorkspaceToken,
  useRefreshWorkspaces,
  useWorkspaceChange,
  useWorkspaceTokens,
  type Workspace,
  type WorkspaceToken,
} from '../../../api/workspaces.ts';
import { Dialog } from '../../../components/Dialog.tsx';
import { optionsOf } from '../../../components/options.ts';
import { QueryRows } from '../../../components/Rows.tsx';
import { NewTokenNotice } from '../../../components/SecretNotice.tsx';
import { TokenRow } from '../../../components/TokenRow.tsx';
import { useUnsaved } from '../../../components/unsaved.ts';
import { useApiForm } from '../../../components/useApiForm.ts';
import { DAY } from '../../../formats.ts';
import { texts as common } from '../../../texts.ts';
import { texts } from './texts.ts';

const ROLES = { viewer: MEMBER_ROLES.viewer, editor: MEMBER_ROLES.editor };
const VALIDITY = { '': texts.unlimited, 30: common.days30, 90: texts.days90, 365: common.oneYear };

interface TokensDialogProps {
  workspace: Workspace;
  close(): void;
}

/** The access tokens of a workspace: create, revoke. */
export function TokensDialog({ workspace, close }: TokensDialogProps) {
  const tokens = useWorkspaceTokens(workspace.id);
  const change = useWorkspaceChange();
  const [created, setCreated] = useState<string | null>(null);
  return (
    <Dialog close={close} size="lg" title={texts.tokensOf(workspace.name)}>
      <Stack gap="md">
        <p className="dialog-text">{texts.tokensText}</p>
        <NewTokenForm workspaceId={workspace.id} onCreated={setCreated} />
        {created && <NewTokenNotice token={created} />}
        <QueryRows
          query={tokens}
          label={texts.tokens}
          boxed
          row={(token) => (
            <TokenRow
              key={token.id}
              token={token}
              right={ROLES[token.role]}
              revoke={() => change.mutateAsync(() => revokeWorkspaceToken(workspace.id, token.id))}
            />
          )}
          empty={<p className="dialog-text">{common.noTokens}</p>}
        />
      </Stack>
    </Dialog>
  );
}

interface NewTokenFormProps {
  workspaceId: string;
  onCreated(token: string): void;
}

function NewTokenForm({ workspaceId, onCreated }: NewTokenFormProps) {
  const refresh = useRefreshWorkspaces();
  const form = useApiForm(
    { name: '', role: 'editor' as WorkspaceToken['role'], days: '365' },
    async ({ days, ...fields }) => {
      const expiresAt = days === '' ? undefined : new Date(Date.now() + Number(days) * DAY).toISOString();
      onCreated((await createWorkspaceToken(workspaceId, { ...fields, expiresAt })).token);
      form.setFieldValue('name', '');
      await refresh();
    },
  );
  useUnsaved(form.isDirty('name'));
  return (
    <form onSubmit={form.submit} autoComplete="off" className="token-form">
      <TextInput required data-autofocus {...form.field('name', common.name)} />
      <div className="token-fields">
        <NativeSelect data={optionsOf(ROLES)} {...form.field('role', common.role)} />
        <NativeSelect data={optionsOf(VALIDITY)} {...form.field('days', common.validFor)} />
        <Button type="submit" loading={form.submitting} leftSection={<Plus size={17} />}>
          {common.create}
        </Button>
      </div>
    </form>
  );
}
