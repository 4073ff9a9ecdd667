import { installedBuilds } from '../src/builds/find.ts';
import { currentBuild, publishOnly, removeOldBuilds } from '../src/builds/make.ts';
import { SERVER, WEB } from '../src/builds/products.ts';

/*
 * Builds the web app into dist/web and the server into dist/server, unless these have builds of the current sources. It
 * runs when the package is published (`npm pack`) and when the packages are installed (`scripts/install.mjs`), so that
 * servers start fast.
 */

for (const product of [SERVER, WEB]) {
  const directory = installedBuilds(product);
  const build = await currentBuild(product, { directory });
  publishOnly(directory, build);
  removeOldBuilds(directory, build);
}
