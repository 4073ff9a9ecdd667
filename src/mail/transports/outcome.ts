import { type Delivery, later, reasonFrom, refused } from '../../kernel/outbox/message.ts';
import type { EmailPayload, RecipientState } from '../payload.ts';
import type { Accepted } from './pools.ts';

/** The fields of nodemailer's errors that are used here. */
interface SmtpError extends Error {
  code?: string;
  /** The command that failed; `CONN` = the greeting. */
  command?: string;
  responseCode?: number;
  response?: string;
  rejectedErrors?: { recipient?: unknown; responseCode?: number; response?: string; message: string }[];
}

/** Maps the server's replies; it may have accepted some recipients and refused others. */
export function outcomeOf(payload: EmailPayload, accepted: Accepted): Delivery {
  const refusals = new Map(accepted.refused.map((refusal) => [refusal.address, refusal]));
  const stateOf = (address: string): RecipientState => {
    const refusal = refusals.get(address);
    return refusal
      ? refusedState(address, refusal.code, refusal.response)
      : { address, status: 'Sent', error: null };
  };
  return settle(payload, stateOf, accepted.response && reasonFrom(accepted.response));
}

/**
 * Maps a failed attempt: a reply of 5xx is permanent; 4xx, and an error without a reply, is transient (RFC
 * 5321 §4.2.1).
 * @param ownServer true = the server of the operator or the client, whose account can be corrected: a refusal of the
 *   account does not end the e-mail
 */
export function outcomeOfError(payload: EmailPayload, thrown: unknown, ownServer: boolean): Delivery {
  const error: SmtpError = thrown instanceof Error ? thrown : new Error('unknown');
  const reason = reasonFrom(error.response ?? error.message);
  const code = error.responseCode ?? 0;
  if (error.rejectedErrors && error.rejectedErrors.length > 0)
    return settle(payload, (address) => rejectedState(address, error));
  const accountCode = accountRefusalCode(error);
  const isFinal = accountCode ? !ownServer && code >= 500 : isAboutMail(error);
  return isFinal ? refusedPermanently(payload, reason) : later(accountCode ?? classOf(error), reason);
}

/** Returns the code of a refusal that concerns every e-mail of the account; null = it does not. */
function accountRefusalCode(error: SmtpError): string | null {
  if (isAboutSignIn(error)) return 'smtp_sign_in';
  if (!isAboutAccount(error)) return null;
  return error.command === 'MAIL FROM' ? SENDER_REFUSED : ACCOUNT_REFUSED;
}

/** Reports whether the server refuses this e-mail permanently. */
function isAboutMail({ code, responseCode = 0, response }: SmtpError): boolean {
  // The library compares the size with the limit in the server's EHLO, before it sends anything. A reply without a code
  // after the data has the same `code`; the server may have taken the e-mail.
  if (code === 'EMESSAGE' && response === undefined) return true;
  // A refused STARTTLS has a 5xx too, but does not concern the e-mail.
  return isPermanent(responseCode) && code !== 'ETLS';
}

/** The state of a recipient of an e-mail whose recipients were all refused. */
function rejectedState(
  address: string,
  { rejectedErrors = [], responseCode = 0, response, message }: SmtpError,
): RecipientState {
  const refusal = rejectedErrors.findLast(({ recipient }) => String(recipient) === address);
  return refusedState(
    address,
    refusal?.responseCode ?? responseCode,
    refusal?.response ?? refusal?.message ?? response ?? message,
  );
}

const ACCOUNT_REFUSED = 'smtp_account_refused';
export const SENDER_REFUSED = 'smtp_sender_refused';

/**
 * Returns why the server refuses all e-mails of the account, or all of this sender; null = it does neither. Clients
 * choose senders, so the refusal of one says nothing about others.
 */
export function accountRefusal(delivery: Delivery): { reason: string; isOfSender: boolean } | null {
  if (delivery.outcome !== 'later') return null;
  const { code, reason } = delivery;
  const isOfSender = code === SENDER_REFUSED;
  return isOfSender || ['smtp_sign_in', ACCOUNT_REFUSED].includes(code) ? { reason, isOfSender } : null;
}

/** Reports whether the attempt failed because of the server rather than of this e-mail. */
export function isServerFailure(delivery: Delivery): boolean {
  return delivery.outcome === 'later' && delivery.code !== 'smtp_deferred';
}

function classOf({ code, responseCode }: SmtpError): string {
  if (code === 'ETLS') return 'smtp_tls';
  if (responseCode !== undefined && responseCode >= 400 && responseCode !== 421) return 'smtp_deferred';
  return 'smtp_unreachable';
}

function settle(
  payload: EmailPayload,
  stateOf: (address: string) => RecipientState,
  response?: string,
): Delivery {
  const recipients = payload.recipients.map((state) =>
    state.status === 'Queued' ? stateOf(state.address) : state,
  );
  const waiting = recipients.find(({ status }) => status === 'Queued');
  if (waiting)
    return {
      outcome: 'later',
      code: 'smtp_deferred',
      reason: waiting.error ?? 'deferred',
      payload: { ...payload, recipients },
    };
  if (recipients.some(({ status }) => status === 'Sent'))
    return { outcome: 'sent', result: { recipients, response } };
  return refused('smtp_refused', recipients[0]?.error ?? 'refused', { recipients });
}

function refusedPermanently(payload: EmailPayload, reason: string): Delivery {
  return settle(payload, (address) => ({ address, status: 'Failed', error: reason }));
}

function refusedState(address: string, code: number, response: string): RecipientState {
  return { address, status: isPermanent(code) ? 'Failed' : 'Queued', error: reasonFrom(response) };
}

/** 503 is about the session, not the e-mail. */
function isPermanent(code: number): boolean {
  return code >= 500 && code < 600 && code !== 503;
}

/** RFC 4954 §6: sign in first, wrong credentials, a stronger mechanism or encryption is needed. */
function isAboutSignIn({ code, responseCode = 0 }: SmtpError): boolean {
  return code === 'EAUTH' || [530, 534, 535, 538].includes(responseCode);
}

/** Replies to MAIL about this e-mail (RFC 5321 §4.2.3): parameters, size, sender address. */
const ABOUT_THIS_MAIL = [501, 552, 553, 555];

/** A permanent refusal of the greeting, of EHLO or of MAIL concerns all e-mails. */
function isAboutAccount({ command = '', responseCode = 0, response = '' }: SmtpError): boolean {
  if (!isPermanent(responseCode)) return false;
  if (['CONN', 'EHLO', 'HELO'].includes(command)) return true;
  // RFC 3463 §3.2: 5.1.7 and 5.1.8 are about the sender's address.
  return command === 'MAIL FROM' && !ABOUT_THIS_MAIL.includes(responseCode) && !/ 5\.1\.[78] /.test(response);
}
