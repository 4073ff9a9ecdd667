import { Group, NativeSelect, TextInput } from '@mantine/core';
import { makeToken, type Token, useLookAgain } from '../../api/people.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { optionsOf } from '../../components/options.ts';
import { useApiForm } from '../../components/useApiForm.ts';
import { accountTexts as texts } from '../../texts/accounts.ts';

const DAYS = [7, 30, 90, 365];

interface TokenDialogProps {
  onCreated(token: string): void;
  close(): void;
}

/** Creates a personal access token. */
export function TokenDialog({ onCreated, close }: TokenDialogProps) {
  const refresh = useLookAgain();
  const form = useApiForm(
    { name: '', scope: 'write' as Token['scope'], days: '90' },
    async ({ days, ...fields }) => {
      const { token } = await makeToken({ ...fields, days: Number(days) });
      onCreated(token);
      await refresh();
      close();
    },
  );
  return (
    <FormDialog title={texts.newToken} form={form} submitLabel={texts.createToken} close={close}>
      <TextInput required data-autofocus autoComplete="off" {...form.field('name', texts.tokenName)} />
      <Group grow>
        <NativeSelect data={optionsOf(texts.scopes)} {...form.field('scope', texts.scope)} />
        <NativeSelect
          data={DAYS.map((days) => ({ value: String(days), label: texts.daysOf(days) }))}
          {...form.field('days', texts.days)}
        />
      </Group>
    </FormDialog>
  );
}
