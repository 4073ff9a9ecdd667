/** Text in place of a secret. */
export const HIDDEN = '[hidden]';

/** Hides known secrets in a text. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, HIDDEN), text);
}

const PATTERNS: readonly [RegExp, string][] = [
  // A secret behind a number, as APIs of bots put it into their paths: `/bot123456:secret/`.
  [/(?<!\/)(\/[a-z]{0,10})\d+:[\w-]+/gi, `$1${HIDDEN}`],
  [/(?<!\d)\d{6,}:[\w-]{30,}/g, HIDDEN],
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
