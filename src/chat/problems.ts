import type { ProblemTable } from '../kernel/problem.ts';

/** Error codes of the chat relay. A published code keeps its meaning. */
// biome-ignore format: one or two lines per code
export const chatProblems = {
  relay_key_required: { status: 401, title: 'Relay key required', de: 'Relay-Schlüssel erforderlich',
    remedy: 'Send the client’s relay key in the header `X-Relay-Key`.' },
  unknown_client: { status: 404, title: 'Unknown client', de: 'Unbekannter Client',
    remedy: 'Check `clientId` against the clients in the administration pages.' },
  unknown_guild: { status: 404, title: 'Unknown guild', de: 'Unbekannter Server',
    remedy: 'Check `guildId` against the guilds of this client.' },
  unknown_channel: { status: 404, title: 'Unknown channel', de: 'Unbekannter Kanal',
    remedy: 'Check `channelId` against the channels of this guild.' },
  target_disabled: { status: 409, title: 'Target disabled', de: 'Ziel deaktiviert',
    remedy: 'Ask an administrator to enable the client, guild or channel.' },
  platform_incompatible: { status: 502, title: 'Answer of the platform not understood', de: 'Antwort der Plattform nicht verstanden',
    remedy: 'Check that `POSTHOUSE_DISCORD_API_URL` is the API of Discord or of a compatible server.' },
  target_paused: { status: 409, title: 'Target paused', de: 'Ziel angehalten',
    remedy: 'Wait, or ask an administrator to correct the token or the permissions of the bot and to end the pause.' },
} as const satisfies ProblemTable;

declare module '../kernel/problem.ts' {
  interface ProblemCodes extends Record<keyof typeof chatProblems, unknown> {}
}
