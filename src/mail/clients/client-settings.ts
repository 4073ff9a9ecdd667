import { z } from 'zod';
import type { SmtpSecurity } from '../../config/formats.ts';
import { isLoopbackHost } from '../../kernel/ip.ts';
import { LANGUAGES } from '../../kernel/language.ts';
import { languageField, nameField } from '../../kernel/shared-fields.ts';
import { isMailbox } from '../compose/mime/addresses.ts';

export const MAIL_SERVICES = ['email', 'telegram', 'contact'] as const;
export type MailService = (typeof MAIL_SERVICES)[number];

/** Fields of a client's settings, for the administrators' endpoints and the command line. */
export const servicesField = z
  .array(z.enum(MAIL_SERVICES, { error: `must be one of ${MAIL_SERVICES.join(', ')}` }))
  .min(1, 'must not be empty')
  .transform((services) => [...new Set(services)]);

const withContactField = z.boolean().optional().meta({
  description:
    'Must be true to combine `contact`, whose secret is public in the page of its form, with another service.',
});

export const mailboxField = z
  .string()
  .refine(isMailbox, 'must be one e-mail address, alone or as “Name <name@example.org>”');

/** An address, or `@domain` for all addresses of a domain. */
const addressOrDomainField = z
  .string()
  .refine(
    (text) => isMailbox(text.startsWith('@') ? `any${text}` : text),
    'must be an e-mail address or an @domain',
  )
  .transform((text) => text.toLowerCase());

export const originField = z
  .string()
  .refine(
    (text) => text !== 'null' && URL.parse(text)?.origin === text,
    'must be an origin such as https://www.example.org',
  );

export const redirectUrlField = z
  .string()
  .max(2_000)
  .refine(isPageUrl, 'must be an https URL, or http on a loopback address')
  .transform((text) => new URL(text).href);

function isPageUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url?.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
}

/** https://core.telegram.org/bots/api#authorizing-your-bot */
export const telegramTokenField = z
  .string()
  .regex(/^\d{1,20}:[\w-]{1,100}$/, 'must look like 123456:ABC-DEF');

/** Messages in a period; null = no limit. */
const limitField = z.int('must be a whole number').min(1).max(1_000_000_000).nullable();

const SMTP_SECURITY = ['tls', 'starttls', 'opportunistic', 'none'] as const satisfies readonly SmtpSecurity[];
export const smtpSecurity = z.enum(SMTP_SECURITY);

/** An SMTP server. `credentials` null = no sign-in. */
const smtpField = z.object({
  host: z.string().regex(/^[\w.:-]{1,253}$/, 'must be a host name or an address'),
  port: z.int().min(1).max(65_535),
  security: smtpSecurity,
  credentials: z
    .object({ username: z.string().min(1).max(1_000), password: z.string().min(1).max(4_000) })
    .nullable(),
});

const DEFAULT_CONTACT_LANGUAGE = LANGUAGES[0];

/** Settings of a client that an administrator may change. */
export const settingsSchema = z.object({
  name: nameField,
  services: servicesField,
  /** The default From, as an address or `Name <address>`; null = the server's. */
  sender: mailboxField.nullable(),
  /** Further addresses and `@domain`s allowed in From. */
  sendersAllowed: z.array(addressOrDomainField).max(100),
  /** Addresses and `@domain`s; empty = any recipient. */
  recipientsAllowed: z.array(addressOrDomainField).max(100),
  contactTo: z.array(mailboxField).max(20),
  contactLanguage: languageField.describe(
    `of the e-mails to \`contactTo\`; \`${DEFAULT_CONTACT_LANGUAGE}\` by default`,
  ),
  /** True = visitors receive an e-mail that confirms their message. */
  contactAcknowledges: z.boolean(),
  /** Service that verifies the challenges of visitors; null = none is required. */
  challengeUrl: z
    .string()
    .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'must be an http or https URL')
    .nullable(),
  origins: z.array(originField).max(50),
  /** Page that the browser of a visitor opens after the form was sent; null = one of this server. */
  redirectUrl: redirectUrlField.nullable(),
  limits: z.object({ second: limitField, hour: limitField, day: limitField }),
  enabled: z.boolean(),
});
/** The secrets in a client's settings; undefined = unchanged, null = none. */
const secretsSchema = z
  .object({
    telegramToken: telegramTokenField.nullable(),
    smtp: smtpField.nullable(),
    challengeSecret: z.string().min(1).max(500).nullable(),
  })
  .partial();

export type ClientSettings = z.infer<typeof settingsSchema>;
export type SmtpAccount = z.infer<typeof smtpField>;
export type ClientSecrets = z.infer<typeof secretsSchema>;

/** A list that `null` makes empty: in a change, `[]` leaves a field as it is. */
const removable = <Item extends z.ZodType>(list: z.ZodArray<Item>) =>
  list.nullable().transform((items) => items ?? []);

const { sendersAllowed, recipientsAllowed, contactTo, origins } = settingsSchema.shape;

export const clientChange = settingsSchema
  .extend({
    sendersAllowed: removable(sendersAllowed),
    recipientsAllowed: removable(recipientsAllowed),
    contactTo: removable(contactTo),
    origins: removable(origins),
  })
  .partial()
  .extend({ ...secretsSchema.shape, withContact: withContactField });
export const newClient = clientChange.extend({ name: nameField, services: servicesField });

/** Confirms the combination of `contact` with another service; never stored. */
export interface ContactConfirmation {
  withContact?: boolean | undefined;
}

/** Default settings of a new client. The name and the services have no default. */
export const clientDefaults = {
  sender: null,
  sendersAllowed: [],
  recipientsAllowed: [],
  contactTo: [],
  contactLanguage: DEFAULT_CONTACT_LANGUAGE,
  contactAcknowledges: false,
  challengeUrl: null,
  origins: [],
  redirectUrl: null,
  limits: { second: null, hour: null, day: null },
  enabled: true,
} satisfies Partial<ClientSettings>;
