import type { Delivery } from '../../kernel/outbox/message.ts';
import type { EmailPayload, RecipientState } from '../payload.ts';
import type { Accepted } from './pools.ts';

/** What of nodemailer's errors is looked at. */
interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
  response?: string;
  rejectedErrors?: { recipient?: unknown; responseCode?: number; response?: string; message: string }[];
}

/** How a mail fared: some recipients may be through and others not. */
export function outcomeOf(payload: EmailPayload, accepted: Accepted): Delivery {
  const refused = new Map(accepted.refused.map((refusal) => [refusal.address, refusal]));
  return settle(
    payload,
    (address) => {
      const refusal = refused.get(address);
      return refusal ? refusedState(address, refusal.code, refusal.response) : { address, status: 'Sent', error: null };
    },
    accepted.response,
  );
}

/**
 * What a failed attempt means: a reply of 5xx is for good, 4xx and everything that is no reply for now (RFC 5321 §4.2.1).
 * @param ownServer the server is not the caller's: a wrong password there is the operator's to mend, not the mail's end
 */
export function outcomeOfError(payload: EmailPayload, thrown: unknown, ownServer: boolean): Delivery {
  const error: SmtpError = thrown instanceof Error ? thrown : new Error('unknown');
  const reason = error.response ?? error.message;
  const code = error.responseCode ?? 0;
  if (error.rejectedErrors && error.rejectedErrors.length > 0) {
    const byAddress = new Map(error.rejectedErrors.map((refusal) => [String(refusal.recipient), refusal]));
    return settle(payload, (address) => {
      const refusal = byAddress.get(address);
      return refusedState(address, refusal?.responseCode ?? code, refusal?.response ?? refusal?.message ?? reason);
    });
  }
  if (error.code === 'EAUTH' || isAboutSignIn(code)) {
    return ownServer || code < 500 ? { outcome: 'later', code: 'smtp_sign_in', reason } : refusedForGood(payload, reason);
  }
  // A refused STARTTLS carries a 5xx as well, but says nothing of the mail.
  if (isPermanent(code) && error.code !== 'ETLS') return refusedForGood(payload, reason);
  return { outcome: 'later', code: classOf(error), reason };
}

/** True when the attempt says that the server itself is in trouble, and not this mail. */
export function isServerTrouble(delivery: Delivery): boolean {
  return delivery.outcome === 'later' && delivery.code !== 'smtp_deferred';
}

function classOf({ code, responseCode }: SmtpError): string {
  if (code === 'ETLS') return 'smtp_tls';
  if (responseCode !== undefined && responseCode >= 400 && responseCode !== 421) return 'smtp_deferred';
  return 'smtp_unreachable';
}

function settle(payload: EmailPayload, judge: (address: string) => RecipientState, response?: string): Delivery {
  const recipients = payload.recipients.map((state) => (state.status === 'Queued' ? judge(state.address) : state));
  const waiting = recipients.find(({ status }) => status === 'Queued');
  if (waiting) return { outcome: 'later', code: 'smtp_deferred', reason: waiting.error ?? 'deferred', payload: { ...payload, recipients } };
  if (recipients.some(({ status }) => status === 'Sent')) return { outcome: 'sent', result: { recipients, response } };
  return { outcome: 'refused', code: 'smtp_refused', reason: recipients[0]?.error ?? 'refused', result: { recipients } };
}

function refusedForGood(payload: EmailPayload, reason: string): Delivery {
  return settle(payload, (address) => ({ address, status: 'Failed', error: reason }));
}

function refusedState(address: string, code: number, response: string): RecipientState {
  return { address, status: isPermanent(code) ? 'Failed' : 'Queued', error: response };
}

/** 503 speaks of the session and not of the mail. */
function isPermanent(code: number): boolean {
  return code >= 500 && code < 600 && code !== 503;
}

/** RFC 4954 §6: sign in first, wrong credentials, a stronger mechanism or encryption is needed. */
function isAboutSignIn(code: number): boolean {
  return code === 530 || code === 534 || code === 535 || code === 538;
}
