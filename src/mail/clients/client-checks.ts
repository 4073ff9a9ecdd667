import { invalidField } from '../../kernel/problem.ts';
import type { ClientSettings, ContactConfirmation, MailService } from './client-settings.ts';

/** Beginning of the sentence for a refused combination; the name of the confirmation follows. */
export const CONTACT_COMBINED =
  'must not combine contact with another service, because the secret of a contact form is public and would give ' +
  'anyone access to that service: create a client for contact alone, or confirm the combination with';

/** Reports whether the contact form, whose secret is public, is combined with another service. */
export function combinesContact(services: readonly MailService[]): boolean {
  return services.includes('contact') && services.some((service) => service !== 'contact');
}

/**
 * Checks the rules that concern several settings of a client. Settings that are stored and unchanged pass.
 * @param before null for a new client
 * @throws Problem 400 `invalid_request` for `contact` together with another service without `withContact`, `contact`
 *   without a recipient, and a `redirectUrl` outside `origins`
 */
export function checkChange(
  before: ClientSettings | null,
  change: Partial<ClientSettings> & ContactConfirmation,
  after: ClientSettings,
): void {
  const { services, contactTo, redirectUrl, origins } = after;
  const isWider = services.some((service) => !before?.services.includes(service));
  if (isWider && combinesContact(services) && !change.withContact)
    throw invalidField('services', `${CONTACT_COMBINED} withContact`);
  const changesForm = services.includes('contact') && (change.services ?? change.contactTo) !== undefined;
  if (changesForm && contactTo.length === 0)
    throw invalidField('contactTo', 'must have at least one address, which receives the contact messages');
  const changesRedirect = (change.redirectUrl ?? change.origins) !== undefined;
  if (changesRedirect && redirectUrl !== null && !origins.includes(new URL(redirectUrl).origin))
    throw invalidField('redirectUrl', 'must be a page on one of the allowed origins');
}
