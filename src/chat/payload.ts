import type { Post } from './compose.ts';

export const CHAT = 'chat';

/** The outbox payload of a post of a message. */
export interface ChatPayload {
  /** Our id of the channel. */
  channelId: string;
  /** Snowflakes, as they were when the message was accepted. */
  platform: { guildId: string; channelId: string };
  post: Post;
}

export interface ChatResult {
  platformMessageId: string | null;
  url: string | null;
  /** The request that would have been sent; absent outside the sandbox. */
  request?: { method: string; route: string; body: unknown };
}
