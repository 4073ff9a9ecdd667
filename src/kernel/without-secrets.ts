/** Text in place of a secret. */
export const HIDDEN = '[hidden]';

/** Shorter texts are parts of many words. */
const MIN_LENGTH = 4;

/** Hides known secrets in a text, in each of their forms. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  return formsOf(secrets).reduce((clean, form) => clean.replaceAll(form, HIDDEN), text);
}

/**
 * Returns the forms in which a peer may repeat secrets: as they are, percent-encoded, escaped for JSON, and in base64.
 * Longer ones come first, since they may contain others.
 */
export function formsOf(secrets: readonly string[]): string[] {
  const forms = secrets.flatMap((secret) => {
    const text = secret.toWellFormed();
    const percent = percentEncoded(text);
    const lower = percent.map((form) => form.replace(/%../g, (code) => code.toLowerCase()));
    return [secret, ...percent, ...lower, ...escapedForJson(text), ...inBase64(text)];
  });
  return [...new Set(forms)].filter(({ length }) => length >= MIN_LENGTH).sort((a, b) => b.length - a.length);
}

/**
 * For a component of a URL, strictly (RFC 3986 §2.3), and for a form
 * (https://url.spec.whatwg.org/#urlencoded-serializing).
 */
function percentEncoded(text: string): string[] {
  const component = encodeURIComponent(text);
  const strict = component.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  return [component, strict, new URLSearchParams({ '': text }).toString().slice(1)];
}

/** Minimally, with ASCII characters only, with escaped slashes as PHP does, and with escaped signs as .NET does. */
function escapedForJson(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const upper = (unit: string) => `\\u${escaped(unit).slice(2).toUpperCase()}`;
  const ascii = json.replace(/[^\0-\x7f]/g, escaped);
  const net = json.replaceAll('\\"', '"').replace(/[^\0-\x7f]|["&'+<>`]/g, upper);
  return [json, ascii, ascii.replaceAll('/', '\\/'), net];
}

function inBase64(text: string): string[] {
  const padded = Buffer.from(text).toString('base64');
  return [padded, padded.replace(/=+$/, ''), Buffer.from(text).toString('base64url')];
}

const PATTERNS: readonly [RegExp, string][] = [
  // A secret behind a number, as APIs of bots put it into their paths: `/bot123456:secret/`.
  [/(?<!\/)(\/[a-z]{0,10})\d+(?::|%3a)[\w-]+/gi, `$1${HIDDEN}`],
  [/(?<!\d)\d{6,}(?::|%3a)[\w-]{30,}/gi, HIDDEN],
  // Userinfo of a URL, up to the last @, since passwords often contain an unencoded one.
  [/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#]+@/gi, `$1${HIDDEN}@`],
  [/\b(Bearer|Bot|Basic)\s+[\w.~+/=-]+/g, `$1 ${HIDDEN}`],
  [/\b(authorization|(?:set-)?cookie)(\\?["']?\s*[:=]\s*)[^\r\n"']+/gi, `$1$2${HIDDEN}`],
  [/\b((?:__Host-)?posthouse(?:-[\w-]{1,20})?=)[^\s;"']+/g, `$1${HIDDEN}`],
  [
    /([?&][\w-]{0,40}(?:key|token|password|secret|signature|code|state)[\w-]{0,40}=)[^&\s"']+/gi,
    `$1${HIDDEN}`,
  ],
  [/((?:password|secret|token|access_?key|api_?key)=)[^&\s"',;]+/gi, `$1${HIDDEN}`],
  [
    /((?:password|secret|token|access_?key|api_?key|auth)\\?["']\s*:\s*\\?["'])(?:[^"'\\]|\\[^"'])+/gi,
    `$1${HIDDEN}`,
  ],
  // A random token of at least 128 bits as a segment of a path.
  [/(?<=\/)(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{22,}/g, HIDDEN],
  // The signature of a link or pass of this server, after an id or a time.
  [/(?<=[\da-f]{12}\.)[\w-]{22,}/g, HIDDEN],
  [/\b(posthouse_)[\w-]{40,}/g, `$1${HIDDEN}`],
];

/**
 * Returns `text` with everything hidden that looks like a credential. Apply it to errors of peers and libraries before
 * they are stored.
 */
export function withoutSecrets(text: string): string {
  // PostgreSQL cannot store U+0000, which a peer may send.
  return PATTERNS.reduce(
    (clean, [pattern, replacement]) => clean.replace(pattern, replacement),
    text.replaceAll('\0', '\ufffd'),
  );
}
