import { until } from '../harness/until.ts';
import { serveBreakably } from './breakable-server.ts';
import { markupError, visibleText } from './telegram-rules.ts';

/** A message in a chat. */
export interface PostedMessage {
  message_id: number;
  token: string;
  chat_id: string;
  text: string;
  visible: string;
  parse_mode: string | null;
  entities: { type: string; offset: number; length: number; url?: string; language?: string }[];
  silent: boolean;
  noPreview: boolean;
}

/** A failure of the next message. `dropAfter` posts it, then closes the connection. */
export type Trouble =
  | { kind: 'status'; status: number; body?: unknown }
  | { kind: 'drop' | 'dropAfter' }
  | { kind: 'badGateway' };

export interface TelegramStandIn {
  url: string;
  messages: PostedMessage[];
  /** Called methods, without tokens. */
  calls: string[];
  /** Former ids of supergroups to which messages were sent. */
  formerIds: string[];
  trouble(...troubles: Trouble[]): void;
  addChat(id: string): void;
  /** The user has blocked the bot. */
  block(chatId: string): void;
  /** The group became a supergroup. */
  migrate(chatId: string, newChatId: string): void;
  /** Resolves with the first matching message, past or future. */
  arrived(fits: (message: PostedMessage) => boolean): Promise<PostedMessage>;
  stop(): Promise<void>;
}

interface TelegramStandInOptions {
  port?: number;
  tokens: readonly string[];
  chats: readonly string[];
}

const LONGEST = 4096;

/** A stand-in of Telegram's Bot API with the method `sendMessage` and its validation. */
export async function startTelegramStandIn({
  port = 0,
  tokens,
  chats,
}: TelegramStandInOptions): Promise<TelegramStandIn> {
  const messages: PostedMessage[] = [];
  const calls: string[] = [];
  const formerIds: string[] = [];
  const troubles: Trouble[] = [];
  const known = new Set(chats);
  const blocked = new Set<string>();
  const moved = new Map<string, string>();
  const times = new Map<string, number[]>();

  function limited(chatId: string): number | null {
    const now = Date.now();
    const isGroup = chatId.startsWith('-') || chatId.startsWith('@');
    const windows: [string, number, number][] = [
      ['all', 30, 1_000],
      [chatId, 2, 1_000],
      ...(isGroup ? [[chatId, 20, 60_000] as [string, number, number]] : []),
    ];
    for (const [key, most, ms] of windows) {
      const recent = (times.get(key) ?? []).filter((at) => now - at < ms);
      if (recent.length >= most) return Math.max(1, Math.ceil(((recent[0] ?? now) + ms - now) / 1000));
    }
    for (const key of ['all', chatId])
      times.set(key, [...(times.get(key) ?? []).filter((at) => now - at < 60_000), now]);
    return null;
  }

  function refusalOf(body: Record<string, unknown>): Response | null {
    const chatId = String(body.chat_id ?? '');
    const text = typeof body.text === 'string' ? body.text : '';
    const newChatId = moved.get(chatId);
    if (newChatId) {
      formerIds.push(chatId);
      return refuse(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: Number(newChatId),
      });
    }
    if (!known.has(chatId)) return refuse(400, 'Bad Request: chat not found');
    if (blocked.has(chatId)) return refuse(403, 'Forbidden: bot was blocked by the user');
    const wrong = markupError(text, body.parse_mode);
    if (wrong) return refuse(400, wrong);
    const visible = visibleText(text, body.parse_mode);
    if (visible.trim() === '') return refuse(400, 'Bad Request: message text is empty');
    if (visible.length > LONGEST) return refuse(400, 'Bad Request: message is too long');
    if (/[\ud800-\udbff]$|^[\udc00-\udfff]/.test(text))
      return refuse(400, 'Bad Request: strings must be encoded in UTF-8');
    const entities = (body.entities ?? []) as PostedMessage['entities'];
    if (entities.some(({ offset, length }) => offset < 0 || length < 1 || offset + length > text.length))
      return refuse(400, 'Bad Request: ENTITY_BOUNDS_INVALID');
    const wait = limited(chatId);
    return wait === null
      ? null
      : refuse(429, `Too Many Requests: retry after ${wait}`, { retry_after: wait });
  }

  function post(token: string, body: Record<string, unknown>): PostedMessage {
    const text = String(body.text);
    const message: PostedMessage = {
      message_id: messages.length + 1,
      token,
      chat_id: String(body.chat_id),
      text,
      visible: visibleText(text, body.parse_mode),
      parse_mode: typeof body.parse_mode === 'string' ? body.parse_mode : null,
      entities: (body.entities ?? []) as PostedMessage['entities'],
      silent: body.disable_notification === true,
      noPreview: (body.link_preview_options as { is_disabled?: boolean } | undefined)?.is_disabled === true,
    };
    messages.push(message);
    return message;
  }

  const server = await serveBreakably(port, async (request) => {
    const [, token = '', method = ''] = /^\/bot([^/]*)\/(\w+)$/.exec(new URL(request.url).pathname) ?? [];
    calls.push(method);
    const [next] = troubles;
    if (method === 'getMe' && (next?.kind === 'badGateway' || next?.kind === 'drop')) {
      troubles.shift();
      return next.kind === 'drop' ? null : badGateway();
    }
    if (!/^\d+:[\w-]+$/.test(token)) return refuse(404, 'Not Found');
    if (!tokens.includes(token)) return refuse(401, 'Unauthorized');
    if (method === 'getMe')
      return Response.json({ ok: true, result: { id: 1, is_bot: true, first_name: 'Bot', username: 'bot' } });
    if (method !== 'sendMessage') return refuse(404, 'Not Found: method not found');
    const trouble = troubles.shift();
    if (trouble?.kind === 'drop') return null;
    if (trouble?.kind === 'badGateway') return badGateway();
    if (trouble?.kind === 'status') return Response.json(trouble.body, { status: trouble.status });
    const body = (await request.json()) as Record<string, unknown>;
    const refusal = refusalOf(body);
    if (refusal) return refusal;
    const message = post(token, body);
    if (trouble) return null;
    return Response.json({
      ok: true,
      result: { message_id: message.message_id, date: 0, chat: { id: message.chat_id }, text: message.text },
    });
  });

  return {
    url: `http://127.0.0.1:${server.port}`,
    messages,
    calls,
    formerIds,
    trouble: (...more) => void troubles.push(...more),
    addChat: (id) => void known.add(id),
    block: (id) => void blocked.add(id),
    migrate(id, newId) {
      moved.set(id, newId);
      known.add(newId);
    },
    arrived: (fits) => until(() => messages.find(fits)),
    stop: server.stop,
  };
}

const badGateway = () => new Response('<html>502 Bad Gateway</html>', { status: 502 });

function refuse(code: number, description: string, parameters?: Record<string, number>): Response {
  return Response.json(
    { ok: false, error_code: code, description, ...(parameters ? { parameters } : {}) },
    { status: code },
  );
}
