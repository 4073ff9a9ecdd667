/**
 * Discord's rules for messages, from its documentation: limits of lengths
 * (https://discord.com/developers/docs/resources/message#embed-object-embed-limits), nonces and allowed mentions.
 * Lengths are counted in UTF-16 units, which is stricter than the platform's code points.
 */

/** Errors by the path of the field, as Discord nests them. */
export type FormErrors = Map<string, { code: string; message: string }>;

type Json = Record<string, unknown>;

const MAX_EMBEDS = 10;
const MAX_FIELDS = 25;
const MAX_TOGETHER = 6000;
const LENGTHS = {
  content: 2000,
  title: 256,
  description: 4096,
  name: 256,
  value: 1024,
  footer: 2048,
  url: 2048,
  nonce: 25,
};

/** Returns the errors in the body of a message. */
export function messageErrors(body: Json): FormErrors {
  const errors: FormErrors = new Map();
  text(errors, 'content', body.content, LENGTHS.content);
  text(errors, 'nonce', body.nonce, LENGTHS.nonce);
  if (body.enforce_nonce !== undefined && typeof body.enforce_nonce !== 'boolean')
    bad(errors, 'enforce_nonce', 'BOOLEAN_TYPE_PARSE', 'Must be either true or false.');
  const embeds = list(errors, 'embeds', body.embeds, MAX_EMBEDS);
  let together = 0;
  embeds.forEach((embed, index) => {
    together += embedErrors(errors, `embeds.${index}`, embed as Json);
  });
  if (together > MAX_TOGETHER)
    bad(errors, 'embeds', 'MAX_EMBED_SIZE_EXCEEDED', `Embed size exceeds maximum size of ${MAX_TOGETHER}`);
  mentionErrors(errors, body.allowed_mentions);
  return errors;
}

/** Reports whether a message has no visible content. */
export function isEmptyMessage(body: Json): boolean {
  const seen = (value: unknown) => typeof value === 'string' && value.trim() !== '';
  return !seen(body.content) && !(Array.isArray(body.embeds) && body.embeds.length > 0);
}

function embedErrors(errors: FormErrors, path: string, embed: Json): number {
  let size = 0;
  size += text(errors, `${path}.title`, embed.title, LENGTHS.title);
  size += text(errors, `${path}.description`, embed.description, LENGTHS.description);
  if (embed.footer !== undefined)
    size += text(errors, `${path}.footer.text`, (embed.footer as Json).text, LENGTHS.footer, true);
  const fields = list(errors, `${path}.fields`, embed.fields, MAX_FIELDS);
  fields.forEach((field, index) => {
    const { name, value } = field as Json;
    size += text(errors, `${path}.fields.${index}.name`, name, LENGTHS.name, true);
    size += text(errors, `${path}.fields.${index}.value`, value, LENGTHS.value, true);
  });
  if (embed.url !== undefined && !/^https?:$/.test(URL.parse(String(embed.url))?.protocol ?? '')) {
    bad(errors, `${path}.url`, 'URL_TYPE_INVALID_SCHEME', 'Scheme must be one of (http, https).');
  }
  if (embed.timestamp !== undefined && Number.isNaN(Date.parse(String(embed.timestamp)))) {
    bad(errors, `${path}.timestamp`, 'DATE_TIME_TYPE_PARSE', 'Could not parse. Should be ISO8601.');
  }
  const color = embed.color;
  if (color !== undefined && !(Number.isInteger(color) && Number(color) >= 0 && Number(color) <= 0xffffff)) {
    bad(errors, `${path}.color`, 'NUMBER_TYPE_MAX', 'int value should be less than or equal to 16777215.');
  }
  if (size === 0) bad(errors, `${path}.description`, 'BASE_TYPE_REQUIRED', 'This field is required');
  return size;
}

function mentionErrors(errors: FormErrors, mentions: unknown): void {
  if (mentions === undefined) return;
  const {
    parse = [],
    users = [],
    roles = [],
  } = mentions as { parse?: string[]; users?: string[]; roles?: string[] };
  for (const kind of parse) {
    if (!['roles', 'users', 'everyone'].includes(kind))
      bad(
        errors,
        'allowed_mentions.parse',
        'BASE_TYPE_CHOICES',
        'Value must be one of (everyone, users, roles).',
      );
  }
  if ((parse.includes('users') && users.length > 0) || (parse.includes('roles') && roles.length > 0)) {
    bad(
      errors,
      'allowed_mentions',
      'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
      'parse:["users"] and users: [ids...] are mutually exclusive.',
    );
  }
}

/** Returns the mentions of a message that notify. */
export function pingsOf(body: Json): string[] {
  const texts = [
    body.content,
    ...(Array.isArray(body.embeds) ? body.embeds.map((embed: Json) => embed.description) : []),
  ].join('\n');
  const named = [...texts.matchAll(/@everyone|@here|<@[!&]?\d+>/g)].map(([mention]) => mention);
  const allowed = body.allowed_mentions as { parse?: string[] } | undefined;
  const parse = allowed === undefined ? ['everyone', 'users', 'roles'] : (allowed.parse ?? []);
  return named.filter((mention) =>
    parse.includes(mention.startsWith('<@&') ? 'roles' : mention.startsWith('<@') ? 'users' : 'everyone'),
  );
}

function text(errors: FormErrors, path: string, value: unknown, most: number, required = false): number {
  if (value === undefined || value === null) {
    if (required) bad(errors, path, 'BASE_TYPE_REQUIRED', 'This field is required');
    return 0;
  }
  if (typeof value !== 'string') {
    bad(errors, path, 'STRING_TYPE_CONVERT', 'Could not interpret as string.');
    return 0;
  }
  const length = value.trim().length;
  if (required && length === 0) bad(errors, path, 'BASE_TYPE_REQUIRED', 'This field is required');
  if (value.length > most) bad(errors, path, 'BASE_TYPE_MAX_LENGTH', `Must be ${most} or fewer in length.`);
  return value.length;
}

function list(errors: FormErrors, path: string, value: unknown, most: number): unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    bad(errors, path, 'LIST_TYPE_CONVERT', 'Only iterables may be used in a ListType');
    return [];
  }
  if (value.length > most) bad(errors, path, 'BASE_TYPE_MAX_LENGTH', `Must be ${most} or fewer in length.`);
  return value;
}

function bad(errors: FormErrors, path: string, code: string, message: string): void {
  errors.set(path, { code, message });
}

/** Nests errors like Discord: `{embeds: {0: {title: {_errors: [{code, message}]}}}}`. */
export function nested(errors: FormErrors): Json {
  const root: Json = {};
  for (const [path, error] of errors) {
    let node = root;
    for (const key of path.split('.')) {
      node[key] ??= {};
      node = node[key] as Json;
    }
    node._errors = [error];
  }
  return root;
}
