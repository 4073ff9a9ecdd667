import { Badge, Button } from '@mantine/core';
import { ShieldCheck, ShieldX } from 'lucide-react';
import { deleteSpam, releaseSpam, type SpamForm, useMailChange, useSpam } from '../../api/mail.ts';
import { useNames } from '../../api/names.ts';
import { Loaded } from '../../parts/Loaded.tsx';
import { Nothing } from '../../parts/Nothing.tsx';
import { Row } from '../../parts/Rows.tsx';
import { Time } from '../../parts/Time.tsx';
import { tell } from '../../parts/tell.tsx';
import { mailTexts as texts } from '../../texts/mail.ts';

/** Contact forms that were kept back: send them after all, or delete them. */
export function SpamTab() {
  const spam = useSpam();
  return (
    <Loaded query={spam}>
      {(list) =>
        list.length === 0 ? (
          <Nothing title={texts.spamEmpty} text={texts.spamEmptyText} icon={<ShieldCheck size={28} />} />
        ) : (
          <>
            <p className="quiet">{texts.spamAbout}</p>
            <ul className="rows boxed-rows spam" aria-label={texts.tabs.spam}>
              {list.map((form) => (
                <SpamRow key={form.id} form={form} />
              ))}
            </ul>
          </>
        )
      }
    </Loaded>
  );
}

function SpamRow({ form: { id, clientId, reason, form, dateCreated } }: { form: SpamForm }) {
  const names = useNames();
  const change = useMailChange();
  const filled = Object.entries(form.request ?? {}).filter(([, value]) => typeof value === 'string' && value !== '') as [string, string][];
  const field = (wanted: string) => filled.find(([name]) => name.toLowerCase() === wanted)?.[1];
  return (
    <Row
      icon={<ShieldX size={18} />}
      title={field('email') ?? id}
      signs={<Badge color="yellow">{reason}</Badge>}
      about={
        <>
          {names.client(clientId)} · <Time value={dateCreated} />
        </>
      }
      actions={
        <>
          <Button
            size="xs"
            variant="default"
            onClick={() => change.mutate(() => releaseSpam(id), { onSuccess: () => tell(texts.released) })}
          >
            {texts.release}
          </Button>
          <Button size="xs" variant="subtle" color="red" onClick={() => change.mutate(() => deleteSpam(id))}>
            {texts.delete}
          </Button>
        </>
      }
    >
      {field('message') && <p className="spam-text">{field('message')}</p>}
    </Row>
  );
}
