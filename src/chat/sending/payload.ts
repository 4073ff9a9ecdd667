import type { Post } from '../compose/compose.ts';

export const CHAT = 'chat';

/** The outbox payload of one post. */
export interface ChatPayload {
  /** Posthouse's GUID. */
  channelId: string;
  /** Snowflakes, as they were when the message was accepted. */
  platform: { guildId: string; channelId: string };
  post: Post;
}

/** The outbox result of a sent post or edit; the id and the URL are null in the sandbox. */
export interface ChatResult {
  platformMessageId: string | null;
  url: string | null;
  /** The request that was not sent; in the sandbox only. */
  request?: { method: string; route: string; body: unknown };
}
