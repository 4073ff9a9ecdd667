import { currentBuild, installedBuilds, removeOldBuilds } from '../src/site/web-build.ts';

/*
 * Builds the web app into dist/web, unless it has a build of the current sources. Run when the package is published
 * (`npm pack`) and when its packages are installed (`scripts/install.mjs`), so that a server need not build it.
 */

const directory = installedBuilds();
removeOldBuilds(directory, await currentBuild({ directory }));
