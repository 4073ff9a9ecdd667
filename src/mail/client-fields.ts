import { z } from '@hono/zod-openapi';
import { MAIL_SERVICES } from './clients.ts';
import { isMailbox } from './compose/addresses.ts';

/** A client's settings, field by field, as an administrator or an operator may give them. */
export const clientNameField = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(100, 'must have 100 characters at most')
  .regex(/^[^\p{Cc}]*$/u, 'must not hold control characters');

export const servicesField = z
  .array(z.enum(MAIL_SERVICES, { error: `must be of ${MAIL_SERVICES.join(', ')}` }))
  .min(1, 'must name one at least')
  .transform((services) => [...new Set(services)]);

export const mailboxField = z.string().refine(isMailbox, 'must be one e-mail address, alone or as “Name <name@example.org>”');

/** An address, or `@domain` for all of a domain. */
export const addressOrDomainField = z
  .string()
  .refine((text) => isMailbox(text.startsWith('@') ? `any${text}` : text), 'must be an e-mail address or an @domain')
  .transform((text) => text.toLowerCase());

export const originField = z
  .string()
  .refine((text) => text !== 'null' && URL.parse(text)?.origin === text, 'must be an origin such as https://www.example.org');

/** https://core.telegram.org/bots/api#authorizing-your-bot */
export const telegramTokenField = z.string().regex(/^\d{1,20}:[\w-]{1,100}$/, 'must look like 123456:ABC-DEF');

/** Messages in a period; null = no limit. */
export const limitField = z.int('must be a whole number').min(1).max(1_000_000_000).nullable();

export const smtpField = z.object({
  host: z.string().regex(/^[\w.:-]{1,253}$/, 'must be a host name or an address'),
  port: z.int().min(1).max(65_535),
  security: z.enum(['tls', 'starttls', 'opportunistic', 'none']),
  credentials: z.object({ username: z.string().min(1).max(1_000), password: z.string().min(1).max(4_000) }).nullable(),
});
