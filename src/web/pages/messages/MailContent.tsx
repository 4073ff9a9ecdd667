import { Anchor, Group, SegmentedControl, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Eye, Paperclip } from 'lucide-react';
import { useState } from 'react';
import { PosthouseError } from '../../../client/index.ts';
import { keys } from '../../api/keys.ts';
import { getMail, type StoredMail } from '../../api/mail.ts';
import { ScrollableCode } from '../../components/CodeBlock.tsx';
import { Facts } from '../../components/Facts.tsx';
import { Name } from '../../components/Name.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { Time } from '../../components/Time.tsx';
import { formatBytes } from '../../formats.ts';
import { texts as common } from '../../texts.ts';
import { texts } from './texts.ts';

/** Interval at which the panel checks whether the e-mail was opened. */
const OPENS_MS = 5_000;
const HEADERS: Readonly<Record<string, string>> = {
  from: texts.from,
  to: common.to,
  cc: texts.cc,
  'reply-to': texts.replyTo,
  subject: common.subject,
};

/** An e-mail as it was sent: headers, content, attachments and opens. */
export function MailContent({ id }: { id: string }) {
  const mail = useQuery({
    queryKey: [...keys.messages, 'mail', id],
    queryFn: () => getMail(id),
    retry: false,
    refetchInterval: OPENS_MS,
  });
  if (mail.error instanceof PosthouseError && mail.error.status === 404)
    return <p className="quiet">{texts.noContent}</p>;
  return (
    <QueryContent query={mail}>
      {(data) => <Mail address={`/api/admin/mail/messages/${id}`} mail={data} />}
    </QueryContent>
  );
}

interface MailProps {
  /** Address of the e-mail in the API. */
  address: string;
  mail: StoredMail;
}

function Mail({ address, mail }: MailProps) {
  const [kind, setKind] = useState(mail.hasHtml ? 'html' : 'text');
  const headers = mail.headers.flatMap(({ name, value }) => {
    const label = HEADERS[name.toLowerCase()];
    return label === undefined ? [] : [[label, value] as const];
  });
  return (
    <>
      <Facts facts={headers} />
      <Group justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label={common.content}
          value={kind}
          onChange={setKind}
          data={[
            { value: 'html', label: common.html, disabled: !mail.hasHtml },
            { value: 'text', label: common.text },
          ]}
        />
        <Anchor href={`${address}/source`} target="_blank" rel="noreferrer" size="sm">
          {texts.source}
        </Anchor>
      </Group>
      <div className="mail-preview boxed">
        {kind === 'html' ? (
          <iframe className="mail-frame" sandbox="" src={`${address}/html`} title={common.html} />
        ) : (
          <ScrollableCode className="mail-text">{mail.text}</ScrollableCode>
        )}
      </div>
      {mail.attachments.length > 0 && <Attachments address={address} mail={mail} />}
      {mail.opens.length > 0 && <Opens opens={mail.opens} />}
    </>
  );
}

function Attachments({ address, mail: { attachments } }: MailProps) {
  return (
    <ul className="plain-list">
      {attachments.map(({ fileName, contentType, sizeBytes }, index) => (
        <li key={`${address}/attachments/${index}`}>
          <Group gap={6}>
            <Paperclip size={15} aria-hidden className="dimmed-icon" />
            <Anchor href={`${address}/attachments/${index}`} download size="sm">
              <Name name={fileName ?? contentType} />
            </Anchor>
            <Text size="xs" c="dimmed">
              {formatBytes(sizeBytes)}
            </Text>
          </Group>
        </li>
      ))}
    </ul>
  );
}

function Opens({ opens }: Pick<StoredMail, 'opens'>) {
  return (
    <section className="details-section">
      <h2>{opens.length === 1 ? texts.openedOnce : texts.opened(opens.length)}</h2>
      <ul className="plain-list">
        {opens.map(({ time, country, region, automatic }, index) => (
          <li key={index}>
            <Group gap={6}>
              <Eye size={15} aria-hidden className="dimmed-icon" />
              <Text size="sm">
                <Time value={time} />
                {[region, country].filter(Boolean).map((name) => ` · ${name}`)}
                {automatic && texts.bySoftware}
              </Text>
            </Group>
          </li>
        ))}
      </ul>
    </section>
  );
}
