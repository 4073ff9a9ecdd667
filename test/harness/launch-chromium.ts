import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium as playwright } from 'playwright-core';
import { sharedDirectory } from './shared.ts';

const PACKAGE = join(import.meta.dir, '../../node_modules/@sparticuz/chromium');

/** Disables the browser's background traffic. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--headless',
];

/** Launches a Chromium. Its fonts come with the package, so that pages look the same on every machine. */
export async function launchChromium(flags: readonly string[] = []): Promise<Browser> {
  const unpacked = await unpackChromium();
  // Chromium itself crashes at startup occasionally.
  return await launch(unpacked, flags).catch(() => launch(unpacked, flags));
}

async function launch(unpacked: string, flags: readonly string[]): Promise<Browser> {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  return await playwright.launch({
    executablePath: join(unpacked, 'chromium'),
    args: [...FLAGS, ...flags],
    env: {
      PATH,
      HOME,
      ...(TMPDIR ? { TMPDIR } : {}),
      LANG: 'C.UTF-8',
      FONTCONFIG_FILE: join(unpacked, 'fonts.conf'),
    },
  });
}

/** Returns the directory with the unpacked browser of the installed package. The first call unpacks it. */
async function unpackChromium(): Promise<string> {
  const { version }: { version: string } = await Bun.file(join(PACKAGE, 'package.json')).json();
  const all = sharedDirectory('chromium');
  const place = join(all, version);
  if (existsSync(place)) return place;
  // The package unpacks into the directory for temporary files, and accepts a half-written browser there.
  // So it unpacks into a new directory, which is renamed when it is complete.
  const directory = mkdtempSync(join(all, 'unpacking-'));
  try {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, 'unpack-chromium.ts')], {
      env: { ...process.env, TMPDIR: directory },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if ((await child.exited) !== 0) throw new Error('The browser of the tests could not be unpacked.');
    writeFileSync(join(directory, 'fonts.conf'), fontsFile(place));
    renameSync(directory, place);
  } catch (error) {
    // Another process has unpacked the same browser.
    if (!existsSync(place)) throw error;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  return place;
}

/** The font of the browser's package for text, and the machine's for code. */
function fontsFile(place: string): string {
  const alias = (family: string, font: string) =>
    `<alias binding="strong"><family>${family}</family><prefer><family>${font}</family></prefer></alias>`;
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<dir>${join(place, 'fonts')}</dir><dir>/usr/share/fonts</dir><cachedir>${join(place, 'fonts-cache')}</cachedir>
${alias('system-ui', 'Open Sans')}${alias('sans-serif', 'Open Sans')}${alias('monospace', 'DejaVu Sans Mono')}</fontconfig>
`;
}
