import { Badge } from '@mantine/core';
import { Mail, MessageSquare, Send } from 'lucide-react';
import type { MessageStatus } from '../../api/messages.ts';
import { common } from '../../texts/common.ts';
import { messageTexts as texts } from '../../texts/messages.ts';

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
        {texts.statuses[status]}
      </Badge>
      {sandbox && (
        <Badge color="grape" title={texts.sandboxHint}>
          {common.sandbox}
        </Badge>
      )}
    </>
  );
}

export function KindIcon({ kind }: { kind: string }) {
  const Icon = kind === 'email' ? Mail : kind === 'telegram' ? Send : MessageSquare;
  return (
    <span
      role="img"
      className="kind-icon"
      aria-label={texts.kinds[kind] ?? kind}
      title={texts.kinds[kind] ?? kind}
    >
      <Icon size={18} aria-hidden />
    </span>
  );
}
