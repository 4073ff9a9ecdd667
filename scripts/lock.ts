import { join } from 'node:path';

/**
 * Completes `package-lock.json` with the optional packages of other platforms. npm omits packages that are not
 * installed here (https://github.com/npm/cli/issues/4828), and `npm ci` then rejects the file. Run it after every
 * change of a dependency.
 */

interface Locked {
  version?: string;
  optional?: boolean;
  dev?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

type Packages = Record<string, Locked>;

const FILE = join(import.meta.dir, '../package-lock.json');
const EXACT = /^\d+\.\d+\.\d+[\w.+-]*$/;
const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'linuxmusl',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
  'windows',
  'wasm32',
];
const PROCESSORS = [
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'ppc64le',
  'riscv64',
  's390x',
  'x64',
  'wasm32',
];

/** Returns optional dependencies of locked packages that are not locked, by their path in `node_modules`. */
export function missingPackages(packages: Packages): Packages {
  const missing: Packages = {};
  for (const parent of Object.values(packages)) {
    for (const [name, range] of Object.entries(parent.optionalDependencies ?? {})) {
      const path = `node_modules/${name}`;
      if (packages[path] !== undefined || !EXACT.test(range)) continue;
      missing[path] = {
        version: range,
        ...platformOf(name),
        ...(parent.dev ? { dev: true } : {}),
        optional: true,
      };
    }
  }
  return missing;
}

export async function readPackages(): Promise<Packages> {
  return ((await Bun.file(FILE).json()) as { packages: Packages }).packages;
}

/** Derives the platform of a package from its name, as in `@scope/name-linux-arm64-musl`. */
function platformOf(name: string): Pick<Locked, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[/-]/);
  const system = words.find((word) => SYSTEMS.includes(word));
  const processor = words.find((word) => PROCESSORS.includes(word));
  return {
    ...(processor ? { cpu: [processor] } : {}),
    ...(system && system !== 'wasm32'
      ? { os: [{ windows: 'win32', linuxmusl: 'linux' }[system] ?? system] }
      : {}),
    ...(words.includes('musl') || system === 'linuxmusl' ? { libc: ['musl'] } : {}),
  };
}

if (import.meta.main) {
  const lock = (await Bun.file(FILE).json()) as { packages: Packages };
  const { '': root, ...others } = { ...lock.packages, ...missingPackages(lock.packages) };
  const sorted = Object.fromEntries(Object.entries(others).sort(([a], [b]) => (a < b ? -1 : 1)));
  await Bun.write(FILE, `${JSON.stringify({ ...lock, packages: { '': root, ...sorted } }, null, 2)}\n`);
}
