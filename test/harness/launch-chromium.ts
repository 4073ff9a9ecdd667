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

/** A Chromium of its own. */
export async function launchChromium(): Promise<Browser> {
  return await playwright.launch({ executablePath: await chromium.executablePath(), args: FLAGS });
}
