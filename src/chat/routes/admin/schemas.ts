import { z } from '@hono/zod-openapi';
import { isoTime } from '../../../kernel/clock.ts';
import { nameFault, platformIdFault } from '../../names.ts';
import type { ChannelRecord, ClientRecord, GuildRecord, PauseState } from '../../records.ts';
import { PLATFORMS } from '../../tables.ts';

const judged = (fault: (text: string) => string | null) =>
  z.string().superRefine((text, context) => {
    const message = fault(text);
    if (message) context.addIssue({ code: 'custom', message });
  });

const nameField = judged(nameFault);
const platformIdField = judged(platformIdFault);
const platformField = z.enum(PLATFORMS);
const tokenField = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, 'must be the bot’s token: letters, digits and dots')
  .openapi({ description: 'The bot’s token; kept encrypted, never shown again' });
const liftField = z.literal(false).optional().openapi({ description: '`false` lifts the pause' });

export const newClient = z.object({
  name: nameField,
  platform: platformField.default('discord'),
  token: tokenField.nullable().default(null),
  relayKey: z.boolean().default(false).openapi({ description: 'Make a key that callers must show in X-Relay-Key' }),
});
export const clientChange = z.object({
  name: nameField.optional(),
  platform: platformField.optional(),
  token: tokenField.nullable().optional(),
  relayKey: z.literal(true).nullable().optional().openapi({ description: '`true` makes a new one, `null` asks for none any more' }),
  enabled: z.boolean().optional(),
  paused: liftField,
});
export const newPlace = z.object({ platformId: platformIdField, name: nameField });
export const guildChange = z.object({ name: nameField.optional(), enabled: z.boolean().optional() });
export const channelChange = guildChange.extend({ paused: liftField });

const pauseShown = z
  .object({ since: z.iso.datetime(), reason: z.string().openapi({ description: 'The platform’s own words' }) })
  .nullable();
const common = { id: z.uuid(), name: z.string(), enabled: z.boolean(), dateCreated: z.iso.datetime() };
export const clientShown = z
  .object({ ...common, platform: platformField, hasToken: z.boolean(), hasRelayKey: z.boolean(), sandbox: z.boolean(), pause: pauseShown })
  .openapi('ChatClient');
export const clientMade = clientShown.extend({ relayKey: z.string().optional().openapi({ description: 'Shown this once' }) });
export const guildShown = z.object({ ...common, clientId: z.uuid(), platformId: z.string() }).openapi('ChatGuild');
export const channelShown = z.object({ ...common, guildId: z.uuid(), platformId: z.string(), pause: pauseShown }).openapi('ChatChannel');

const pause = (state: PauseState | null) => state && { since: isoTime(state.since), reason: state.reason };

export function showClient({ dateCreated, ...client }: ClientRecord) {
  return {
    ...client,
    sandbox: client.platform === 'sandbox' || !client.hasToken,
    pause: pause(client.pause),
    dateCreated: isoTime(dateCreated),
  };
}

export function showGuild({ dateCreated, ...guild }: GuildRecord) {
  return { ...guild, dateCreated: isoTime(dateCreated) };
}

export function showChannel({ dateCreated, ...channel }: ChannelRecord) {
  return { ...channel, pause: pause(channel.pause), dateCreated: isoTime(dateCreated) };
}
