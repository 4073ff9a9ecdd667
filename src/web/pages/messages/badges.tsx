import { Badge } from '@mantine/core';
import { Mail, MessageSquare, Send } from 'lucide-react';
import { KINDS, type MessageStatus, STATUSES } from '../../api/messages.ts';
import { texts as common } from '../../texts.ts';
import { texts } from './texts.ts';

const COLORS: Record<MessageStatus, string> = {
  queued: 'blue',
  sent: 'green',
  failed: 'red',
  unknown: 'yellow',
  cancelled: 'gray',
};

export function StatusBadge({ status, sandbox }: { status: MessageStatus; sandbox: boolean }) {
  return (
    <>
      <Badge color={COLORS[status]} data-status={status}>
        {STATUSES[status]}
      </Badge>
      {sandbox && (
        <Badge color="grape" title={texts.sandboxText}>
          {common.sandbox}
        </Badge>
      )}
    </>
  );
}

export function KindIcon({ kind }: { kind: string }) {
  const Icon = kind === 'email' ? Mail : kind === 'telegram' ? Send : MessageSquare;
  return (
    <span role="img" className="kind-icon" aria-label={KINDS[kind] ?? kind} title={KINDS[kind] ?? kind}>
      <Icon size={18} aria-hidden />
    </span>
  );
}
