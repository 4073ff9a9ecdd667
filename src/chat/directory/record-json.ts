import { isoTime } from '../../kernel/clock.ts';
import type { ChannelRecord, ClientRecord, GuildRecord, PauseState } from './records.ts';

const pauseJson = (state: PauseState | null) =>
  state && { since: isoTime(state.since), reason: state.reason };

/**
 * Returns a client as the API and `list` show it, with its times in ISO 8601.
 * @param relayKey a key that was just created; null = none
 */
export function clientJson({
  client: { dateCreated, ...client },
  relayKey = null,
}: {
  client: ClientRecord;
  relayKey?: string | null;
}) {
  return {
    ...client,
    sandbox: client.platform === 'sandbox' || !client.hasToken,
    pause: pauseJson(client.pause),
    dateCreated: isoTime(dateCreated),
    ...(relayKey === null ? {} : { relayKey }),
  };
}

/** The same for a guild. */
export function guildJson({ dateCreated, ...guild }: GuildRecord) {
  return { ...guild, dateCreated: isoTime(dateCreated) };
}

/** The same for a channel. */
export function channelJson({ dateCreated, ...channel }: ChannelRecord) {
  return { ...channel, pause: pauseJson(channel.pause), dateCreated: isoTime(dateCreated) };
}
