import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

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
  const executablePath = await chromium.executablePath();
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  return await playwright.launch({
    executablePath,
    args: FLAGS,
    env: { PATH, HOME, ...(TMPDIR ? { TMPDIR } : {}), LANG: 'C.UTF-8', FONTCONFIG_FILE: fontsFile() },
  });
}

/** The font that comes with the browser's package for text; for code, what the computer has. */
function fontsFile(): string {
  const directory = join(tmpdir(), 'posthouse-test-fonts');
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'fonts.conf');
  const alias = (family: string, font: string) =>
    `<alias binding="strong"><family>${family}</family><prefer><family>${font}</family></prefer></alias>`;
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<dir>${join(tmpdir(), 'fonts')}</dir><dir>/usr/share/fonts</dir><cachedir>${join(directory, 'cache')}</cachedir>
${alias('system-ui', 'Open Sans')}${alias('sans-serif', 'Open Sans')}${alias('monospace', 'DejaVu Sans Mono')}</fontconfig>
`,
  );
  return file;
}
