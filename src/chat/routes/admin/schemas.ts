import { z } from '@hono/zod-openapi';
import { nameFault, platformIdFault, tokenFault } from '../../directory/names.ts';
import { DEFAULT_PLATFORM, PLATFORMS } from '../../tables.ts';

const validated = (fault: (text: string) => string | null) =>
  z.string().superRefine((text, context) => {
    const message = fault(text);
    if (message) context.addIssue({ code: 'custom', message });
  });

const nameField = validated(nameFault);
const platformIdField = validated(platformIdFault);
const platformField = z.enum(PLATFORMS);
const tokenField = validated(tokenFault).openapi({
  description: 'Token of the bot; stored encrypted, never returned',
});
const pausedField = z.literal(false).openapi({ description: '`false` ends the pause' });

export const newClient = z.object({
  name: nameField,
  platform: platformField.default(DEFAULT_PLATFORM),
  token: tokenField.nullable().default(null),
  relayKey: z
    .boolean()
    .default(false)
    .openapi({ description: 'Create a key that callers must send in X-Relay-Key' }),
});
export const clientChange = z
  .object({
    name: nameField,
    platform: platformField,
    token: tokenField.nullable(),
    relayKey: z
      .literal(true)
      .nullable()
      .openapi({ description: '`true` creates a new key, `null` removes it' }),
    enabled: z.boolean(),
    paused: pausedField,
  })
  .partial();
export const newRecord = z.object({ platformId: platformIdField, name: nameField });
export const guildChange = clientChange.pick({ name: true, enabled: true });
export const channelChange = clientChange.pick({ name: true, enabled: true, paused: true });

const pauseSchema = z
  .object({
    since: z.iso.datetime(),
    reason: z.string().openapi({ description: 'Error message of the platform' }),
  })
  .nullable();
const common = { id: z.uuid(), name: z.string(), enabled: z.boolean(), dateCreated: z.iso.datetime() };
export const clientSchema = z
  .object({
    ...common,
    platform: platformField,
    hasToken: z.boolean(),
    hasRelayKey: z.boolean(),
    inviteUrl: z
      .url()
      .nullable()
      .openapi({ description: 'Page that adds the bot to a server; null without a token of Discord' }),
    sandbox: z.boolean(),
    pause: pauseSchema,
  })
  .openapi('ChatClient');
export const clientWithKeySchema = clientSchema.extend({
  relayKey: z.string().optional().openapi({ description: 'Returned only once' }),
  tokenChecked: z.boolean().optional().openapi({
    description:
      'Whether the platform accepted the new token; false when it did not respond. Absent without a new one',
  }),
});
export const guildSchema = z
  .object({ ...common, clientId: z.uuid(), platformId: z.string() })
  .openapi('ChatGuild');
export const channelSchema = z
  .object({ ...common, guildId: z.uuid(), platformId: z.string(), pause: pauseSchema })
  .openapi('ChatChannel');
