import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BunPlugin } from 'bun';

const SOURCES = join(import.meta.dir, '../../src');

/** Resolves `import.meta` in each module as before the bundling: child processes are started from the sources. */
const ownPlaces: BunPlugin = {
  name: 'own places',
  setup(build) {
    build.onLoad({ filter: /\/src\/.*\.tsx?$/ }, async ({ path, loader }) => {
      const source = await Bun.file(path).text();
      if (!path.startsWith(SOURCES)) return { contents: source, loader };
      const places = { dir: dirname(path), path, url: pathToFileURL(path).href };
      return {
        contents: source.replace(/\bimport\.meta\.(dir|path|url)\b/g, (_, name: keyof typeof places) =>
          JSON.stringify(places[name]),
        ),
        loader,
      };
    });
  },
};

/**
 * Bundles the program into one file with bytecode, which starts in two thirds of the time of its thousand modules.
 * Returns its path.
 */
export async function bundleProgram(outdir: string): Promise<string> {
  await Bun.build({
    entrypoints: [join(SOURCES, 'main.ts')],
    outdir,
    target: 'bun',
    format: 'cjs',
    bytecode: true,
    plugins: [ownPlaces],
  });
  return join(outdir, 'main.js');
}
