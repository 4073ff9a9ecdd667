import { ChannelType, PermissionFlagsBits, RESTJSONErrorCodes } from 'discord-api-types/v10';
import { serveBreakably } from './breakable-server.ts';
import { Buckets, type Limit, type Refusal } from './discord-limits.ts';
import { type FormErrors, isEmptyMessage, messageErrors, nested, pingsOf } from './discord-rules.ts';
import { type BotUser, type Channel, type Message, snowflake, World } from './discord-world.ts';
import { asSpacebar } from './spacebar.ts';

/** A received request. */
export interface Arrived {
  method: string;
  /** Without the version. */
  path: string;
  headers: Headers;
  body: Record<string, unknown> | null;
  status: number | null;
  at: number;
}

/**
 * A failure instead of the proper response. `drop` closes the connection; those with `After` execute the request
 * first.
 */
export type Trouble =
  | { kind: 'status'; status: number; body?: unknown; headers?: Record<string, string> }
  | { kind: 'limit'; refusal: Refusal }
  | { kind: 'hang' | 'hangAfter' | 'drop' | 'dropAfter' };

interface Script {
  matches(method: string, path: string): boolean;
  times: number;
  trouble: Trouble;
}

interface Limits {
  /** Limit of posts in one channel by one bot. */
  messages: Limit;
  edits: Limit;
  /** Limit of requests of one bot. */
  global: Limit;
}

const LIMITS: Limits = {
  messages: { requests: 5, windowMs: 5_000 },
  edits: { requests: 5, windowMs: 5_000 },
  global: { requests: 50, windowMs: 1_000 },
};
/** Limits that no test reaches. */
export const UNLIMITED: Limits = {
  messages: { requests: 1_000_000, windowMs: 1_000 },
  edits: { requests: 1_000_000, windowMs: 1_000 },
  global: { requests: 1_000_000, windowMs: 1_000 },
};
const NONCE_WINDOW_MS = 5 * 60_000;
const BANNED_AT = 10_000;

/** A stand-in of the part of Discord's HTTP API that a relay needs, with the same validation. */
export interface DiscordStandIn {
  /** Value of POSTHOUSE_DISCORD_API_URL. */
  url: string;
  world: World;
  arrived: Arrived[];
  /** Number of responses that count as invalid requests of the caller's address. */
  invalidRequests(): number;
  /** Fails the next `times` requests whose method and path (without the version) match. */
  script(trouble: Trouble, times?: number, matches?: Script['matches']): void;
  /** Ends all failures. */
  clearTroubles(): void;
  limits: Limits;
  stop(): Promise<void>;
}

export async function startDiscord({
  port = 0,
  limits = {},
  spacebar = false,
}: {
  port?: number;
  limits?: Partial<Limits>;
  /** Responds like spacebarchat/server. */
  spacebar?: boolean;
} = {}): Promise<DiscordStandIn> {
  const world = new World();
  const arrived: Arrived[] = [];
  const scripts: Script[] = [];
  const buckets = new Buckets();
  const hanging = new Set<(response: null) => void>();
  const allLimits = { ...LIMITS, ...limits };
  let invalid = 0;

  /** Null = close the connection. */
  async function handle(request: Request): Promise<Response | null> {
    const { pathname } = new URL(request.url);
    const path = decodeURIComponent(pathname).replace(/^\/api\/v\d+/, '');
    const body = await request.json().catch(() => null);
    const entry: Arrived = {
      method: request.method,
      path,
      headers: request.headers,
      body: body as Record<string, unknown> | null,
      status: null,
      at: Date.now(),
    };
    arrived.push(entry);
    const script = scripts.find(({ matches, times }) => times > 0 && matches(entry.method, path));
    if (script) script.times--;
    const proper = script ? await troubled(script.trouble, entry) : answerTo(entry);
    const answer = spacebar && proper && !script ? await asSpacebar(path, proper) : proper;
    entry.status = answer?.status ?? null;
    if (
      answer &&
      (answer.status === 401 ||
        answer.status === 403 ||
        (answer.status === 429 && answer.headers.get('X-RateLimit-Scope') !== 'shared'))
    ) {
      invalid++;
    }
    return answer;
  }

  async function troubled(trouble: Trouble, entry: Arrived): Promise<Response | null> {
    if (trouble.kind === 'status') {
      const { status, body = { message: `${status}: trouble`, code: 0 }, headers } = trouble;
      return typeof body === 'string'
        ? new Response(body, { status, headers })
        : Response.json(body, { status, headers });
    }
    if (trouble.kind === 'limit') return limited(trouble.refusal);
    if (trouble.kind === 'dropAfter' || trouble.kind === 'hangAfter') answerTo(entry);
    if (trouble.kind === 'hang' || trouble.kind === 'hangAfter')
      return await new Promise((resolve) => hanging.add(resolve));
    return null;
  }

  function answerTo({ method, path, headers, body }: Arrived): Response {
    if (invalid >= BANNED_AT)
      return new Response('error code: 1015', { status: 429, headers: { 'Retry-After': '600' } });
    if (!/^DiscordBot \(/.test(headers.get('User-Agent') ?? ''))
      return new Response('error code: 1010', { status: 403 });
    const bot = world.bots.get(/^Bot (.+)$/.exec(headers.get('Authorization') ?? '')?.[1] ?? '');
    if (!bot) return refusal(401, 0, '401: Unauthorized');
    const global = buckets.take(`global ${bot.id}`, allLimits.global);
    if (global.remaining < 0) return limited({ scope: 'global', retryAfterMs: global.resetAfterMs });

    const [, resource, id = '', rest, inner] =
      /^\/(\w+)\/([^/]+)(?:\/(\w+)(?:\/([^/]+))?)?$/.exec(path) ?? [];
    if (method === 'GET' && path === '/users/@me')
      return Response.json({ id: bot.id, username: bot.username, bot: true });
    if (method === 'GET' && path === '/users/@me/guilds') {
      const own = [...world.guilds.values()].filter(({ members }) => members.has(bot.id));
      return Response.json(own.map(({ id: guildId, name }) => ({ id: guildId, name })));
    }
    if (resource === 'guilds' && method === 'GET') return guildAnswer(bot, id, rest, inner);
    const channel = resource === 'channels' ? world.channels.get(id) : undefined;
    if (resource === 'channels' && !channel)
      return refusal(404, RESTJSONErrorCodes.UnknownChannel, 'Unknown Channel');
    if (channel && method === 'GET' && rest === undefined) return channelAnswer(bot, channel);
    if (channel && method === 'POST' && rest === 'messages' && inner === undefined) {
      return inBucket(`messages ${bot.id} ${id}`, 'POST messages', allLimits.messages, () =>
        post(bot, channel, body),
      );
    }
    if (channel && method === 'PATCH' && rest === 'messages' && inner) {
      return inBucket(`edits ${bot.id} ${id}`, 'PATCH messages', allLimits.edits, () =>
        edit(bot, inner, body),
      );
    }
    return refusal(404, 0, '404: Not Found');
  }

  function guildAnswer(bot: BotUser, id: string, rest?: string, inner?: string): Response {
    const guild = world.guilds.get(id);
    if (!guild) return refusal(404, RESTJSONErrorCodes.UnknownGuild, 'Unknown Guild');
    if (!guild.members.has(bot.id)) return refusal(403, RESTJSONErrorCodes.MissingAccess, 'Missing Access');
    if (rest === undefined)
      return Response.json({ id, name: guild.name, owner_id: guild.ownerId, roles: guild.roles });
    if (rest === 'channels') {
      const own = [...world.channels.values()].filter(
        ({ guildId, parentId }) => guildId === id && parentId === null,
      );
      return Response.json(own.map((channel) => shown(channel, bot)));
    }
    if (rest === 'roles') return Response.json(guild.roles);
    const member = rest === 'members' && inner ? guild.members.get(inner) : undefined;
    if (!member) return refusal(404, RESTJSONErrorCodes.UnknownMember, 'Unknown Member');
    return Response.json({
      user: { id: inner },
      roles: member.roles,
      communication_disabled_until: member.timedOutUntil,
    });
  }

  function channelAnswer(bot: BotUser, channel: Channel): Response {
    const seen = world.permissionsOf(bot, channel) & PermissionFlagsBits.ViewChannel;
    if (!seen) return refusal(403, RESTJSONErrorCodes.MissingAccess, 'Missing Access');
    return Response.json(shown(channel, bot));
  }

  function post(bot: BotUser, channel: Channel, body: Record<string, unknown> | null): Response {
    const permissions = world.permissionsOf(bot, channel);
    if (!(permissions & PermissionFlagsBits.ViewChannel))
      return refusal(403, RESTJSONErrorCodes.MissingAccess, 'Missing Access');
    const sending =
      channel.parentId === null
        ? PermissionFlagsBits.SendMessages
        : PermissionFlagsBits.SendMessagesInThreads;
    const timedOut = world.guilds.get(channel.guildId)?.members.get(bot.id)?.timedOutUntil;
    if (!(permissions & sending) || (timedOut && Date.parse(timedOut) > Date.now())) {
      return refusal(403, RESTJSONErrorCodes.MissingPermissions, 'Missing Permissions');
    }
    if (!body)
      return refusal(
        400,
        RESTJSONErrorCodes.RequestBodyContainsInvalidJSON,
        'The request body contains invalid JSON.',
      );
    const errors = messageErrors(body);
    if (errors.size > 0) return invalidForm(errors);
    if (isEmptyMessage(body))
      return refusal(400, RESTJSONErrorCodes.CannotSendAnEmptyMessage, 'Cannot send an empty message');
    const nonce = typeof body.nonce === 'string' ? body.nonce : null;
    if (body.enforce_nonce === true && nonce !== null) {
      const earlier = world.messages.find(
        (message) =>
          message.nonce === nonce && message.authorId === bot.id && message.at > Date.now() - NONCE_WINDOW_MS,
      );
      if (earlier) return Response.json(shownMessage(earlier));
    }
    const message: Message = {
      id: snowflake(),
      channelId: channel.id,
      authorId: bot.id,
      nonce,
      // Without this permission, embeds are removed silently.
      body: permissions & PermissionFlagsBits.EmbedLinks ? body : { ...body, embeds: [] },
      pings: pingsOf(body),
      edits: [],
      at: Date.now(),
    };
    world.messages.push(message);
    return Response.json(shownMessage(message));
  }

  function edit(bot: BotUser, id: string, body: Record<string, unknown> | null): Response {
    const message = world.messages.find((each) => each.id === id);
    if (!message) return refusal(404, RESTJSONErrorCodes.UnknownMessage, 'Unknown Message');
    if (message.authorId !== bot.id) {
      return refusal(
        403,
        RESTJSONErrorCodes.CannotEditMessageAuthoredByAnotherUser,
        'Cannot edit a message authored by another user',
      );
    }
    const errors = messageErrors(body ?? {});
    if (errors.size > 0) return invalidForm(errors);
    message.edits.push(body ?? {});
    return Response.json(shownMessage(message));
  }

  function inBucket(key: string, name: string, limit: Limit, work: () => Response): Response {
    const { remaining, resetAfterMs } = buckets.take(key, limit);
    const headers = {
      'X-RateLimit-Limit': String(limit.requests),
      'X-RateLimit-Remaining': String(Math.max(0, remaining)),
      'X-RateLimit-Reset': ((Date.now() + resetAfterMs) / 1000).toFixed(3),
      'X-RateLimit-Reset-After': (resetAfterMs / 1000).toFixed(3),
      'X-RateLimit-Bucket': new Bun.CryptoHasher('md5').update(name).digest('hex'),
    };
    const answer = remaining < 0 ? limited({ scope: 'user', retryAfterMs: resetAfterMs }) : work();
    for (const [header, value] of Object.entries(headers)) answer.headers.set(header, value);
    return answer;
  }

  const server = await serveBreakably(port, handle);
  return {
    url: `http://127.0.0.1:${server.port}/api`,
    world,
    arrived,
    invalidRequests: () => invalid,
    script: (trouble, times = 1, matches = () => true) => void scripts.push({ trouble, times, matches }),
    clearTroubles: () => void scripts.splice(0),
    limits: allLimits,
    async stop() {
      for (const answer of hanging) answer(null);
      await server.stop();
    },
  };
}

function refusal(status: number, code: number, message: string, errors?: unknown): Response {
  return Response.json({ message, code, ...(errors ? { errors } : {}) }, { status });
}

function invalidForm(errors: FormErrors): Response {
  return refusal(400, RESTJSONErrorCodes.InvalidFormBodyOrContentType, 'Invalid Form Body', nested(errors));
}

/**
 * https://discord.com/developers/docs/topics/rate-limits#exceeding-a-rate-limit: whole seconds in the header, a
 * float in the body.
 */
function limited({ scope, retryAfterMs }: Refusal): Response {
  const seconds = retryAfterMs / 1000;
  return Response.json(
    {
      message: scope === 'shared' ? 'The resource is being rate limited.' : 'You are being rate limited.',
      retry_after: seconds,
      global: scope === 'global',
    },
    {
      status: 429,
      headers: {
        'Retry-After': String(Math.ceil(seconds)),
        'X-RateLimit-Scope': scope,
        ...(scope === 'global' ? { 'X-RateLimit-Global': 'true' } : {}),
      },
    },
  );
}

function shown(channel: Channel, bot: BotUser): object {
  const thread = channel.parentId !== null;
  return {
    id: channel.id,
    guild_id: channel.guildId,
    name: channel.name,
    type: channel.type,
    parent_id: channel.parentId,
    ...(thread
      ? { thread_metadata: { locked: channel.locked, archived: false } }
      : { permission_overwrites: channel.overwrites }),
    ...(thread && (channel.type !== ChannelType.PrivateThread || channel.threadMembers.has(bot.id))
      ? { member: { user_id: bot.id } }
      : {}),
  };
}

function shownMessage({ id, channelId, authorId, nonce, body }: Message): object {
  return { id, channel_id: channelId, author: { id: authorId, bot: true }, nonce, ...body, type: 0 };
}
