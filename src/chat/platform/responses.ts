import { z } from 'zod';
import type { Bot } from './platform.ts';
import { PlatformError } from './platform-errors.ts';

/*
 * The fields of the platform's responses that are used here. Compatible servers omit some that Discord always sends, so
 * a field is required only if no decision is possible without it.
 */

/** Discord's ids have up to 20 digits; compatible servers may have others. */
const id = z.string().max(100);
/** Maximum number of guilds in a list (https://discord.com/developers/docs/resources/user#get-current-user-guilds). */
const MAX_GUILDS = 200;
const bits = z.string().regex(/^\d{1,40}$/);

export const userResponse = z.object({ id });
export const messageResponse = z.object({ id });
export const rolesResponse = z.array(z.object({ id, permissions: bits }));
export const guildResponse = z.object({ id, owner_id: id.nullish(), roles: rolesResponse.nullish() });
export const memberResponse = z.object({
  roles: z.array(id),
  communication_disabled_until: z.string().nullish(),
});
export const channelResponse = z.object({
  type: z.int(),
  guild_id: id.nullish(),
  parent_id: id.nullish(),
  permission_overwrites: z.array(z.object({ id, type: z.int(), allow: bits, deny: bits })).nullish(),
  thread_metadata: z.object({ locked: z.boolean().nullish() }).nullish(),
  /** Present on a thread that the bot is a member of. */
  member: z.unknown().optional(),
});
export const guildsResponse = z.array(z.object({ id, name: z.string() })).max(MAX_GUILDS);
export const channelsResponse = z.array(z.object({ id, type: z.int(), name: z.string().nullish() }));

/** Validates a response. @param call names the call in the error @throws PlatformError of kind `incompatible` */
export function readResponse<Body>(schema: z.ZodType<Body>, call: string, body: unknown): Body {
  const { success, data, error } = schema.safeParse(body);
  if (success) return data;
  const path = error.issues[0]?.path.join('.');
  const fault = path ? `“${path}” is missing or has an unexpected value` : 'its JSON has an unexpected shape';
  throw new PlatformError(
    { kind: 'incompatible' },
    `The response to ${call} differs from Discord’s: ${fault}.`,
  );
}

/** Sends a GET request and validates the response. @throws PlatformError */
export async function query<Body>(bot: Bot, route: string, schema: z.ZodType<Body>): Promise<Body> {
  return readResponse(schema, `GET ${route}`, await bot.call('GET', route as `/${string}`));
}
