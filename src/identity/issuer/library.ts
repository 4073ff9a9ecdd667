import type { Log } from '../../kernel/log.ts';

/**
 * Loads the provider. Keeps two warnings away from standard error, which is for the log: the library's about
 * runtimes other than Node.js, and Bun's about a deprecated function that the library uses for signatures.
 */
export async function loadLibrary(log: Log) {
  process.noDeprecation = true;
  const { warn } = console;
  console.warn = (...words: unknown[]) => log.debug({ words }, 'library warning');
  try {
    return { ...(await import('./provider.ts')), ...(await import('./interaction.ts')) };
  } finally {
    console.warn = warn;
  }
}
