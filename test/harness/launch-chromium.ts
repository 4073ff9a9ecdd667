import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium as playwright } from 'playwright-core';
import { sharedDirectory } from './shared.ts';

const PACKAGE = join(import.meta.dir, '../../node_modules/@sparticuz/chromium');

/** No traffic beyond what a test asks for. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--headless',
];

/** A Chromium of its own. Its fonts come with it, so that pages look the same on every computer. */
export async function launchChromium(): Promise<Browser> {
  const unpacked = await unpackChromium();
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  return await playwright.launch({
    executablePath: join(unpacked, 'chromium'),
    args: FLAGS,
    env: { PATH, HOME, ...(TMPDIR ? { TMPDIR } : {}), LANG: 'C.UTF-8', FONTCONFIG_FILE: join(unpacked, 'fonts.conf') },
  });
}

/** The directory in which the browser of the installed package lies unpacked; the first who asks unpacks it. */
async function unpackChromium(): Promise<string> {
  const { version }: { version: string } = await Bun.file(join(PACKAGE, 'package.json')).json();
  const all = sharedDirectory('chromium');
  const place = join(all, version);
  if (existsSync(place)) return place;
  // The package unpacks into the directory for temporary files, and takes a half-written browser there for a whole one.
  // So it gets a directory of its own, which becomes the place at once when all of it is there.
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
    // Whoever was faster has put the same there.
    if (!existsSync(place)) throw error;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  return place;
}

/** The font that comes with the browser's package for text; for code, what the computer has. */
function fontsFile(place: string): string {
  const alias = (family: string, font: string) =>
    `<alias binding="strong"><family>${family}</family><prefer><family>${font}</family></prefer></alias>`;
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<dir>${join(place, 'fonts')}</dir><dir>/usr/share/fonts</dir><cachedir>${join(place, 'fonts-cache')}</cachedir>
${alias('system-ui', 'Open Sans')}${alias('sans-serif', 'Open Sans')}${alias('monospace', 'DejaVu Sans Mono')}</fontconfig>
`;
}
