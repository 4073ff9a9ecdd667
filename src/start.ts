import { join } from 'node:path';
import { currentKey, findBuild, installedBuilds } from './builds/find.ts';
import { SERVER } from './builds/products.ts';

/*
 * Starts the program: from the bundle of its current sources, where there is one, or from the sources.
 */

const bundle = findBuild(SERVER, currentKey(SERVER), [installedBuilds(SERVER)]);
const { main } = (await import(
  bundle ? join(bundle, SERVER.entry) : './main.ts'
)) as typeof import('./main.ts');
await main(process.argv.slice(2));
