import { Badge } from '@mantine/core';
import { ShieldCheck, ShieldX } from 'lucide-react';
import { deleteSpam, releaseSpam, type SpamForm, useMailChange, useSpam } from '../../api/mail.ts';
import { useNames } from '../../api/names.ts';
import { Actions } from '../../components/actions.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { notify } from '../../components/notify.tsx';
import { QueryRows, Row } from '../../components/Rows.tsx';
import { Time } from '../../components/Time.tsx';
import { texts as common } from '../../texts.ts';
import { texts } from './texts.ts';

const REASONS: Record<string, string> = { honeypot: texts.honeypot };

/** Contact-form messages flagged as spam, to be sent or deleted. */
export function SpamTab() {
  const spam = useSpam();
  return (
    <div className="panel-stack">
      <p className="quiet">{texts.spamText}</p>
      <QueryRows
        query={spam}
        label={common.spam}
        boxed
        row={(form) => <SpamRow key={form.id} form={form} />}
        empty={<EmptyState title={texts.noSpam} text={texts.noSpamText} icon={<ShieldCheck size={28} />} />}
      />
    </div>
  );
}

function SpamRow({ form: { id, clientId, reason, form, dateCreated } }: { form: SpamForm }) {
  const names = useNames();
  const change = useMailChange();
  const release = () => change.mutate(() => releaseSpam(id), { onSuccess: () => notify(texts.willBeSent) });
  const message = fieldOf(form.request, 'message');
  const sender = fieldOf(form.request, 'email') ?? id;
  return (
    <Row
      icon={<ShieldX size={18} />}
      title={sender}
      badges={<Badge color="yellow">{REASONS[reason] ?? reason}</Badge>}
      description={
        <>
          {names.client(clientId)} · <Time value={dateCreated} />
        </>
      }
      actions={
        <Actions
          name={sender}
          buttons={[
            { label: texts.sendAnyway, run: release },
            { label: common.delete, danger: true, run: () => change.mutate(() => deleteSpam(id)) },
          ]}
        />
      }
    >
      {message && <p className="spam-text">{message}</p>}
    </Row>
  );
}

/** Returns a text field that is filled in; undefined = none. Names of fields are case-insensitive. */
function fieldOf(request: SpamForm['form']['request'] = {}, wanted: string): string | undefined {
  const value = Object.entries(request).find(([name]) => name.toLowerCase() === wanted)?.[1];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
