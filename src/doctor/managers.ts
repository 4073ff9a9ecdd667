import { CheckFailed } from './check.ts';

/**
 * Checks that every shared workspace has a manager who can sign in. @param unmanaged returns the shared workspaces
 * without one
 */
export async function checkManagers(unmanaged: () => Promise<{ name: string }[]>): Promise<string> {
  const names = (await unmanaged()).map(({ name }) => `“${name}”`);
  if (names.length === 0) return 'Every shared workspace has a manager who can sign in.';
  throw new CheckFailed(
    `No manager of ${names.slice(0, 10).join(', ')}${names.length > 10 ? ' and others' : ''} can sign in: ` +
      'appoint one with posthouse workspace member add --role manager.',
  );
}
