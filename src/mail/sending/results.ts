import type { OutboxMessage, PartState } from '../../kernel/outbox/message.ts';
import { Problem } from '../../kernel/problem.ts';
import type { EmailPayload, RecipientState, TelegramResult } from '../payload.ts';
import { SENDER_REFUSED } from '../transports/outcome.ts';
import { REFUSED_ACCOUNT } from '../transports/smtp.ts';
import { recipientOfLane } from './telegram-lane.ts';

export const STATUSES = ['Sent', 'Queued', 'Scheduled', 'Failed', 'Unknown', 'Cancelled'] as const;
export type Status = (typeof STATUSES)[number];

interface Recipient {
  Address: string;
  Status: Status;
  Error: string | null;
}

/** The state of a message that was just sent or stored. */
export interface SendAnswer {
  Id: string;
  Status: Status;
  MessageId: string | null;
  Recipients: Recipient[];
  sandbox?: true;
}

/** The response of an endpoint that sends. */
export interface SendResult {
  status: 200 | 202;
  body: SendAnswer;
}

interface EmailState {
  /** An e-mail that was just stored; null = the request repeats an earlier one. */
  composed: EmailPayload | null;
  /** Null = the first attempt was not awaited. */
  row: OutboxMessage | null;
  sandbox: boolean;
  /** Milliseconds since the epoch; null = immediately. */
  sendAt: number | null;
}

/** Returns the response for an e-mail. @throws Problem 502 `platform_rejected` when every recipient was refused */
export function emailResponse(id: string, { composed, row, sandbox, sendAt }: EmailState): SendResult {
  const recipients = row ? mailRecipients(row) : (composed?.recipients ?? []).map(toRecipient);
  if (row?.status === 'failed')
    throw rejected(row.error ?? 'The mail server refused the e-mail.', recipients);
  const status = row ? statusOf(row) : sendAt === null ? 'Queued' : 'Scheduled';
  return sendResult({
    Id: id,
    Status: status,
    MessageId: (row ? (row.payload as EmailPayload) : composed)?.headerId ?? null,
    Recipients: recipients,
    ...(sandbox ? { sandbox: true } : {}),
  });
}

interface TelegramState {
  recipients: readonly string[];
  /** Empty = the first attempt was not awaited. */
  parts: readonly PartState[];
  sandbox: boolean;
}

/** Returns the response for a Telegram message. @throws Problem 502 `platform_rejected` if all are refused */
export function telegramResponse(id: string, { recipients, parts, sandbox }: TelegramState): SendResult {
  const states =
    parts.length > 0
      ? telegramRecipients(parts)
      : recipients.map((Address) => ({ Address, Status: 'Queued' as const, Error: null }));
  if (parts.length > 0 && states.every(({ Status }) => Status === 'Failed'))
    throw rejected(states[0]?.Error ?? 'Telegram refused the message.', states);
  return sendResult({
    Id: id,
    Status: overallStatus(states.map(({ Status }) => Status)),
    MessageId: telegramMessageId(parts),
    Recipients: states,
    ...(sandbox ? { sandbox: true } : {}),
  });
}

function sendResult(body: SendAnswer): SendResult {
  return { status: body.Status === 'Sent' ? 200 : 202, body };
}

function rejected(detail: string, recipients: Recipient[]): Problem {
  const fields = recipients.map(({ Address: path, Error: message }) => ({
    path,
    message: message ?? 'refused',
  }));
  return new Problem('platform_rejected', detail, { fields });
}

/** Returns the recipients of a Telegram message with their current status. */
export function telegramRecipients(parts: readonly PartState[]): Recipient[] {
  const byRecipient = Map.groupBy(parts, ({ lane }) => recipientOfLane(lane ?? ''));
  return [...byRecipient].map(([Address, own]) => ({
    Address,
    Status: overallStatus(own.map(statusOf), 'worst'),
    Error: own.map(publicReason).find((reason) => reason !== null) ?? null,
  }));
}

/** Returns the id of the first message at Telegram; null = not yet assigned. */
export function telegramMessageId(parts: readonly PartState[]): string | null {
  const sent = parts.find(({ status, sandbox }) => status === 'sent' && !sandbox);
  return sent ? String((sent.result as TelegramResult).messageId) : null;
}

/**
 * Returns one status for several: a pending one takes precedence over a final one. Among final ones, `best`
 * suits recipients (some received the message), `worst` suits the segments of one text (it is complete or it
 * is not).
 */
export function overallStatus(statuses: readonly Status[], of: 'best' | 'worst' = 'best'): Status {
  const final: Status[] = ['Sent', 'Unknown', 'Cancelled', 'Failed'];
  const order: Status[] = ['Queued', 'Scheduled', ...(of === 'best' ? final : final.reverse())];
  return order.find((status) => statuses.includes(status)) ?? 'Sent';
}

/** Returns the recipients of an e-mail with their current status. */
export function mailRecipients(row: OutboxMessage): Recipient[] {
  const final = (row.result as { recipients?: RecipientState[] } | null)?.recipients;
  const states = final ?? (row.payload as EmailPayload).recipients;
  const reason = publicReason(row);
  return states.map((state) => {
    const recipient = toRecipient(state);
    if (recipient.Status !== 'Queued') return recipient;
    const ended = row.status === 'queued' ? recipient.Status : statusOf(row);
    return { ...recipient, Status: ended, Error: recipient.Error ?? reason };
  });
}

const FINAL = { sent: 'Sent', failed: 'Failed', unknown: 'Unknown', cancelled: 'Cancelled' } as const;

export function statusOf({ status, attempts, error, nextAttemptAt, dateCreated }: PartState): Status {
  if (status !== 'queued') return FINAL[status];
  return attempts === 0 && error === null && nextAttemptAt > dateCreated + 1000 ? 'Scheduled' : 'Queued';
}

/** Texts for errors whose own text may reveal the operator's network. */
const PUBLIC_REASONS = new Map([
  ['smtp_unreachable', 'the mail server cannot be reached'],
  ['smtp_tls', 'the mail server offers no trustworthy encryption'],
  ['smtp_sign_in', 'the mail server refused the login'],
  ['smtp_account_refused', REFUSED_ACCOUNT],
  [SENDER_REFUSED, REFUSED_ACCOUNT],
  ['telegram_sign_in', 'Telegram refused the bot token'],
  ['internal_error', 'internal error'],
]);

/** Returns why an attempt failed: the reply of the peer, or a text that does not reveal the operator's network. */
export function publicReason({ errorCode, error }: PartState): string | null {
  return (
    PUBLIC_REASONS.get(errorCode ?? '') ?? (error?.startsWith(REFUSED_ACCOUNT) ? REFUSED_ACCOUNT : error)
  );
}

function toRecipient({ address, status, error }: RecipientState): Recipient {
  return { Address: address, Status: status, Error: error };
}
