import type { RunningServer } from '../../server.ts';

/** Returns the text that `serve` prints when the server is ready. */
export function readyText({ url, setupLink }: RunningServer): string {
  const link = setupLink ? `Create the administrator account: ${setupLink}\n` : '';
  return `${link}Posthouse is ready at ${url}`;
}
