import type { ProblemTable } from '../kernel/problem.ts';

/** Error codes of the chat relay. A published code keeps its meaning. */
// biome-ignore format: three or four lines per code
export const chatProblems = {
  relay_key_required: { status: 401, title: 'Relay key required',
    de: { title: 'Relay-Schlüssel erforderlich',
      detail: 'Der Relay-Schlüssel des Clients fehlt oder ist falsch.' },
    remedy: 'Send the client’s relay key in the header `X-Relay-Key`.' },
  unknown_client: { status: 404, title: 'Unknown client',
    de: { title: 'Unbekannter Client', detail: 'Diesen Client gibt es nicht.' },
    remedy: 'Check `clientId` against the clients in the administration pages.' },
  unknown_guild: { status: 404, title: 'Unknown guild',
    de: { title: 'Unbekannter Server', detail: 'Der Client hat diesen Server nicht.' },
    remedy: 'Check `guildId` against the guilds of this client.' },
  unknown_channel: { status: 404, title: 'Unknown channel',
    de: { title: 'Unbekannter Kanal', detail: 'Der Server hat diesen Kanal nicht.' },
    remedy: 'Check `channelId` against the channels of this guild.' },
  target_disabled: { status: 409, title: 'Target disabled',
    de: { title: 'Ziel deaktiviert', detail: 'Der Client, der Server oder der Kanal ist deaktiviert.' },
    remedy: 'Ask an administrator to enable the client, guild or channel.' },
  platform_incompatible: { status: 502, title: 'Platform response not understood',
    de: { title: 'Antwort der Plattform nicht verstanden',
      detail: 'Die Antwort der Plattform wurde nicht verstanden. Prüfen Sie `POSTHOUSE_DISCORD_API_URL`.' },
    remedy: 'Check that `POSTHOUSE_DISCORD_API_URL` is the API of Discord or of a compatible server.' },
  target_paused: { status: 409, title: 'Target paused',
    de: { title: 'Ziel angehalten', detail: 'Das Ziel ist angehalten: {detail}' },
    remedy: 'Wait, or ask an administrator to correct the token or the permissions of the bot and to end the pause.' },
} as const satisfies ProblemTable;

declare module '../kernel/problem.ts' {
  interface ProblemCodes extends Record<keyof typeof chatProblems, unknown> {}
}
