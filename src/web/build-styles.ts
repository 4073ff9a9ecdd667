import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { BuildMetafile } from 'bun';

const PACKAGE = '@mantine/core';
const STYLES = join(import.meta.dir, '../../node_modules', PACKAGE, 'styles');
/** Imports the style sheets of the components that the app uses, in the order of the package's own style sheet. */
const IMPORTS = join(import.meta.dir, 'styles/mantine.css');
/** Style sheets that every component needs. */
const COMMON = ['baseline', 'default-css-variables', 'global'];

/** @throws Error when the style sheet of a bundled Mantine component is not imported, or an import is not needed */
export function checkStyles({ outputs }: BuildMetafile): void {
  const modules = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  const used = modules
    .filter((path) => path.includes(PACKAGE))
    .map((path) => basename(path).split('.')[0] ?? '')
    .filter((name) => existsSync(join(STYLES, `${name}.css`)));
  const imported = [...readFileSync(IMPORTS, 'utf8').matchAll(/styles\/([\w-]+)\.css/g)].map(
    ([, name]) => name ?? '',
  );
  const wrong = new Set([...COMMON, ...used]).symmetricDifference(new Set(imported));
  if (wrong.size > 0)
    throw new Error(`${IMPORTS}: add or remove the style sheets of ${[...wrong].sort().join(', ')}`);
}
