import { z } from 'zod';
import type { Bot } from './platform.ts';
import { PlatformError } from './platform-errors.ts';

/*
 * The fields of the platform's answers that are used here. Compatible servers omit some that Discord always sends, so a
 * field is required only if no decision is possible without it.
 */

const id = z.string();
const bits = z.string().regex(/^\d{1,40}$/);
const roles = z.array(z.object({ id, permissions: bits }));

export const userAnswer = z.object({ id });
export const messageAnswer = z.object({ id });
export const rolesAnswer = roles;
export const guildAnswer = z.object({ id, owner_id: id.nullish(), roles: roles.nullish() });
export const memberAnswer = z.object({
  roles: z.array(id),
  communication_disabled_until: z.string().nullish(),
});
export const channelAnswer = z.object({
  type: z.int(),
  guild_id: id.nullish(),
  parent_id: id.nullish(),
  permission_overwrites: z.array(z.object({ id, type: z.int(), allow: bits, deny: bits })).nullish(),
  thread_metadata: z.object({ locked: z.boolean().nullish() }).nullish(),
  /** Present on a thread that the bot is a member of. */
  member: z.unknown().optional(),
});
export const guildsAnswer = z.array(z.object({ id, name: z.string() }));
export const channelsAnswer = z.array(z.object({ id, type: z.int(), name: z.string().nullish() }));

/** Validates an answer. @param call names the call in the error @throws PlatformError of kind `incompatible` */
export function readAnswer<Answer>(schema: z.ZodType<Answer>, call: string, answer: unknown): Answer {
  const { success, data, error } = schema.safeParse(answer);
  if (success) return data;
  const path = error.issues[0]?.path.join('.');
  const fault = path ? `“${path}” is missing or has an unexpected type` : 'its JSON has an unexpected shape';
  throw new PlatformError(
    { kind: 'incompatible' },
    `The answer to ${call} differs from Discord’s: ${fault}.`,
  );
}

/** Sends a GET request and validates the answer. @throws PlatformError */
export async function query<Answer>(bot: Bot, route: string, schema: z.ZodType<Answer>): Promise<Answer> {
  return readAnswer(schema, `GET ${route}`, await bot.call('GET', route as `/${string}`));
}
