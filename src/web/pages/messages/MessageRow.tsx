import { Checkbox } from '@mantine/core';
import type { Message } from '../../api/messages.ts';
import { useNames } from '../../api/names.ts';
import { Time } from '../../parts/Time.tsx';
import { messageTexts as texts } from '../../texts/messages.ts';
import { KindIcon, StatusBadge } from './message-signs.tsx';

interface MessageRowProps {
  message: Message;
  chosen: boolean;
  choose(): void;
  open(): void;
}

/** One message of the list; the whole row opens it. */
export function MessageRow({ message, chosen, choose, open }: MessageRowProps) {
  const names = useNames();
  const { kind, title, to, status, sandbox, attempts, parts, error, clientId, nextAttemptAt } = message;
  const called = title || texts.untitled;
  return (
    <li className="row message-row" data-chosen={chosen || undefined}>
      <Checkbox checked={chosen} onChange={choose} aria-label={texts.select(called)} />
      <KindIcon kind={kind} />
      <div className="row-text">
        <div className="row-title">
          <button type="button" className="row-opener" onClick={open} aria-label={texts.open(called)}>
            {called}
          </button>
          <StatusBadge status={status} sandbox={sandbox} />
        </div>
        <div className="row-about">
          {to.length > 0 && `${texts.to} ${to.map(names.channel).join(', ')} · `}
          {clientId && `${names.client(clientId)} · `}
          {texts.attempts(attempts)}
          {parts > 1 && ` · ${texts.parts(parts)}`}
          {nextAttemptAt && (
            <>
              {` · ${texts.next} `}
              <Time value={nextAttemptAt} />
            </>
          )}
        </div>
        {error && status !== 'sent' && <div className="row-error">{error}</div>}
      </div>
      <span className="message-time">
        <Time value={message.dateCreated} />
      </span>
    </li>
  );
}
