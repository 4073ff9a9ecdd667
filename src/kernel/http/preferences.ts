import type { Ctx } from './context.ts';

/**
 * Returns the preferences of a request by name in lower case (RFC 7240 §2); '' = without a value.
 * @param header the value of `Prefer`
 */
export function preferencesOf(header: string | undefined): Map<string, string> {
  const found = new Map<string, string>();
  for (const preference of header?.split(',') ?? []) {
    const [name = '', value = ''] = (preference.split(';', 1)[0] ?? '').split('=');
    const key = name.trim().toLowerCase();
    if (key !== '' && !found.has(key)) found.set(key, value.trim().replace(/^"(.*)"$/, '$1'));
  }
  return found;
}

/** Names the preferences that the response follows (RFC 7240 §3). */
export function notePreferences(c: Ctx, response: Response, mayBeAsync: boolean): void {
  const header = c.req.header('Prefer');
  if (header === undefined) return;
  const preferences = preferencesOf(header);
  const isAsync = mayBeAsync && response.status === 202 && preferences.has('respond-async');
  const applied = [
    ...(isAsync ? ['respond-async'] : []),
    ...(isStrict(preferences) ? ['handling=strict'] : []),
  ];
  if (applied.length > 0) response.headers.set('Preference-Applied', applied.join(', '));
}

/** RFC 7240 §4.4 */
export function isStrict(preferences: ReadonlyMap<string, string>): boolean {
  return preferences.get('handling')?.toLowerCase() === 'strict';
}
