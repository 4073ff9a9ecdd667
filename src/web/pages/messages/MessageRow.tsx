import { Checkbox } from '@mantine/core';
import type { Message } from '../../api/messages.ts';
import { useNames } from '../../api/names.ts';
import { Time } from '../../components/Time.tsx';
import { countOf } from '../../formats.ts';
import { KindIcon, StatusBadge } from './badges.tsx';
import { texts } from './texts.ts';

interface MessageRowProps {
  message: Message;
  selected: boolean;
  toggle(): void;
  open(): void;
}

/** A message in the list. The whole row is a button that opens it. */
export function MessageRow({ message, selected, toggle, open }: MessageRowProps) {
  const { kind, status, sandbox, error, dateCreated } = message;
  const title = message.title || texts.noTitle;
  return (
    <li className="row message-row" data-selected={selected || undefined}>
      <Checkbox checked={selected} onChange={toggle} aria-label={texts.select(title)} />
      <KindIcon kind={kind} />
      <div className="row-text">
        <div className="row-title">
          <button type="button" className="row-opener" onClick={open} aria-label={texts.show(title)}>
            {title}
          </button>
          <StatusBadge status={status} sandbox={sandbox} />
        </div>
        <div className="row-description">
          <Description message={message} />
        </div>
        {error && status !== 'sent' && <div className="row-error">{error}</div>}
      </div>
      <span className="message-time">
        <Time value={dateCreated} />
      </span>
    </li>
  );
}

function Description({ message: { to, clientId, attempts, parts, nextAttemptAt } }: { message: Message }) {
  const names = useNames();
  return (
    <>
      {to.length > 0 && texts.toChannels(to.map(names.channel).join(', '))}
      {clientId && `${names.client(clientId)} · `}
      {countOf(attempts, 'attempt')}
      {parts > 1 && texts.segments(parts)}
      {nextAttemptAt && (
        <>
          {texts.next}
          <Time value={nextAttemptAt} />
        </>
      )}
    </>
  );
}
