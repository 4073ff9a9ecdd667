import { RESTJSONErrorCodes } from 'discord-api-types/rest/v10';
import type { Failure } from './platform-errors.ts';

export const OBSTACLES = [
  'target_disabled',
  'target_paused',
  'token_refused',
  'bot_not_in_guild',
  'channel_not_found',
  'channel_in_other_guild',
  'channel_takes_no_messages',
  'thread_locked',
  'bot_timed_out',
  'missing_view_channel',
  'missing_send_messages',
  'missing_embed_links',
  'rate_limited',
  'platform_unreachable',
  'platform_rejected',
  'platform_incompatible',
] as const;
export type Obstacle = (typeof OBSTACLES)[number];

/** Thrown when the platform's responses show that a message cannot be sent. */
export class Blocked extends Error {
  readonly reason: Obstacle;
  constructor(reason: Obstacle, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

/** Returns the obstacle that a failed call for a channel reveals. */
export function obstacleOf(failure: Failure): Obstacle {
  switch (failure.kind) {
    case 'limited':
    case 'exhausted':
      return 'rate_limited';
    case 'unauthorized':
      return 'token_refused';
    case 'missing':
      return failure.code === RESTJSONErrorCodes.UnknownGuild ? 'bot_not_in_guild' : 'channel_not_found';
    case 'forbidden':
      return failure.code === RESTJSONErrorCodes.MissingAccess
        ? 'missing_view_channel'
        : 'missing_send_messages';
    case 'refused':
      return 'platform_rejected';
    case 'incompatible':
      return 'platform_incompatible';
    case 'unavailable':
      return 'platform_unreachable';
  }
}

const TRANSIENT: readonly (Obstacle | null)[] = [
  'rate_limited',
  'platform_unreachable',
  'platform_rejected',
  'platform_incompatible',
];

/** Reports whether an obstacle is a failure of the call itself, which reveals nothing about the target. */
export function isTransient(obstacle: Obstacle | null): boolean {
  return TRANSIENT.includes(obstacle);
}
