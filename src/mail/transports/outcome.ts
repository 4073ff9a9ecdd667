import { type Delivery, later, refused } from '../../kernel/outbox/message.ts';
import type { EmailPayload, RecipientState } from '../payload.ts';
import type { Accepted } from './pools.ts';

/** The fields of nodemailer's errors that are used here. */
interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
  response?: string;
  rejectedErrors?: { recipient?: unknown; responseCode?: number; response?: string; message: string }[];
}

/** Maps the server's replies; it may have accepted some recipients and refused others. */
export function outcomeOf(payload: EmailPayload, accepted: Accepted): Delivery {
  const refusals = new Map(accepted.refused.map((refusal) => [refusal.address, refusal]));
  const judge = (address: string): RecipientState => {
    const refusal = refusals.get(address);
    return refusal
      ? refusedState(address, refusal.code, refusal.response)
      : { address, status: 'Sent', error: null };
  };
  return settle(payload, judge, accepted.response);
}

/**
 * Maps a failed attempt: a reply of 5xx is permanent; 4xx, and an error without a reply, is transient (RFC 5321
 * §4.2.1).
 * @param ownServer true = not the caller's server: the operator can correct a wrong password there, so it does not
 * end the mail
 */
export function outcomeOfError(payload: EmailPayload, thrown: unknown, ownServer: boolean): Delivery {
  const error: SmtpError = thrown instanceof Error ? thrown : new Error('unknown');
  const reason = error.response ?? error.message;
  const code = error.responseCode ?? 0;
  if (error.rejectedErrors && error.rejectedErrors.length > 0)
    return settle(payload, (address) => rejectedState(address, error));
  if (error.code === 'EAUTH' || isAboutSignIn(code)) {
    return ownServer || code < 500 ? later('smtp_sign_in', reason) : refusedForGood(payload, reason);
  }
  // A refused STARTTLS has a 5xx too, but says nothing about the mail.
  if (isPermanent(code) && error.code !== 'ETLS') return refusedForGood(payload, reason);
  return later(classOf(error), reason);
}

/** The state of a recipient of a mail whose recipients were all refused. */
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

/** Reports whether the attempt shows trouble of the server rather than of this mail. */
export function isServerTrouble(delivery: Delivery): boolean {
  return delivery.outcome === 'later' && delivery.code !== 'smtp_deferred';
}

function classOf({ code, responseCode }: SmtpError): string {
  if (code === 'ETLS') return 'smtp_tls';
  if (responseCode !== undefined && responseCode >= 400 && responseCode !== 421) return 'smtp_deferred';
  return 'smtp_unreachable';
}

function settle(
  payload: EmailPayload,
  judge: (address: string) => RecipientState,
  response?: string,
): Delivery {
  const recipients = payload.recipients.map((state) =>
    state.status === 'Queued' ? judge(state.address) : state,
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

function refusedForGood(payload: EmailPayload, reason: string): Delivery {
  return settle(payload, (address) => ({ address, status: 'Failed', error: reason }));
}

function refusedState(address: string, code: number, response: string): RecipientState {
  return { address, status: isPermanent(code) ? 'Failed' : 'Queued', error: response };
}

/** 503 is about the session, not the mail. */
function isPermanent(code: number): boolean {
  return code >= 500 && code < 600 && code !== 503;
}

/** RFC 4954 §6: sign in first, wrong credentials, a stronger mechanism or encryption is needed. */
function isAboutSignIn(code: number): boolean {
  return [530, 534, 535, 538].includes(code);
}
