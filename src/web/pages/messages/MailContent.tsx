import { Anchor, Group, SegmentedControl, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Eye, Paperclip } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../api/http.ts';
import { getMail, type MailShown } from '../../api/mail-content.ts';
import { formatBytes } from '../../formats.ts';
import { Loaded } from '../../parts/Loaded.tsx';
import { Time } from '../../parts/Time.tsx';
import { messageTexts as texts } from '../../texts/messages.ts';

/** How often one looks whether the mail was opened. */
const OPENS_MS = 5_000;
const SHOWN_HEADERS = ['from', 'to', 'cc', 'reply-to', 'subject', 'date'];

/** What a mail looked like, what was attached to it, and whether it was opened. */
export function MailContent({ id }: { id: string }) {
  const mail = useQuery({
    queryKey: ['messages', 'mail', id],
    queryFn: ({ signal }) => getMail(id, signal),
    retry: false,
    refetchInterval: OPENS_MS,
  });
  if (mail.error instanceof ApiError && mail.error.status === 404) return <p className="quiet">{texts.noContent}</p>;
  return <Loaded query={mail}>{(data) => <Mail id={id} mail={data} />}</Loaded>;
}

function Mail({ id, mail }: { id: string; mail: MailShown }) {
  const [kind, setKind] = useState(mail.hasHtml ? 'html' : 'text');
  const base = `/api/admin/mail/messages/${id}`;
  return (
    <>
      <dl className="facts">
        {mail.headers
          .filter(({ name }) => SHOWN_HEADERS.includes(name.toLowerCase()))
          .map(({ name, value }) => (
            <div key={name} className="fact">
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <Group justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label={texts.content}
          value={kind}
          onChange={setKind}
          data={[
            { value: 'html', label: texts.html, disabled: !mail.hasHtml },
            { value: 'text', label: texts.text },
          ]}
        />
        <Anchor href={`${base}/source`} target="_blank" rel="noreferrer" size="sm">
          {texts.source}
        </Anchor>
      </Group>
      <div className="mail-preview boxed">
        {kind === 'html' ? (
          <iframe className="mail-frame" sandbox="" src={`${base}/html`} title={texts.html} />
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          <pre className="mail-text" tabIndex={0}>
            {mail.text}
          </pre>
        )}
      </div>
      {mail.attachments.length > 0 && (
        <ul className="plain-list">
          {mail.attachments.map(({ fileName, contentType, sizeBytes }, place) => (
            <li key={`${base}/attachments/${place}`}>
              <Group gap={6}>
                <Paperclip size={15} aria-hidden className="dimmed-icon" />
                <Anchor href={`${base}/attachments/${place}`} download size="sm">
                  {fileName ?? contentType}
                </Anchor>
                <Text size="xs" c="dimmed">
                  {formatBytes(sizeBytes)}
                </Text>
              </Group>
            </li>
          ))}
        </ul>
      )}
      <Opens opens={mail.opens} />
    </>
  );
}

function Opens({ opens }: Pick<MailShown, 'opens'>) {
  if (opens.length === 0) return null;
  return (
    <section className="details-section">
      <h2>
        {texts.opens} {texts.openedTimes(opens.length)}
      </h2>
      <ul className="plain-list">
        {opens.map(({ time, country, region, automatic }) => (
          <li key={time}>
            <Group gap={6}>
              <Eye size={15} aria-hidden className="dimmed-icon" />
              <Text size="sm">
                <Time value={time} />
                {[region, country].filter(Boolean).map((place) => ` · ${place}`)}
                {automatic && ` · ${texts.openedAutomatically}`}
              </Text>
            </Group>
          </li>
        ))}
      </ul>
    </section>
  );
}
