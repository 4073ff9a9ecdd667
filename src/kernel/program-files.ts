import { join } from 'node:path';

/*
 * Files that the program starts or reads. The program runs from its sources, or from a bundle of them in
 * `dist/server/KEY`: there, this module is part of a file of that directory, and the programs of child processes have
 * the places of their sources.
 */

const isBundle = import.meta.path.endsWith('.js');

/** Directory of the package. */
export const PACKAGE = join(import.meta.dir, isBundle ? '../../..' : '../..');

/** Returns the path of a program to start. @param name its source below `src`, without `.ts`; in `SERVER.programs` */
export function programFile(name: string): string {
  return isBundle ? join(import.meta.dir, `${name}.js`) : sourceFile(`${name}.ts`);
}

/** @param path below `src` */
export function sourceFile(path: string): string {
  return join(PACKAGE, 'src', path);
}
