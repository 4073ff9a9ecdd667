import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { afterFile } from './cleanup.ts';
import { launchChromium } from './launch-chromium.ts';

let browser: Promise<Browser> | undefined;

/** The browser of this test file. */
async function theBrowser(): Promise<Browser> {
  if (!browser) {
    const launched = launchChromium();
    browser = launched;
    afterFile(async () => await (await launched).close());
  }
  return await browser;
}

/** Creates a context, in another browser if `bun test` has killed the first, as it does when a test takes too long. */
async function newContext(options: BrowserContextOptions): Promise<BrowserContext> {
  try {
    return await (await theBrowser()).newContext(options);
  } catch {
    browser = undefined;
    return await (await theBrowser()).newContext(options);
  }
}

/** Below the time limit of a test, so that its error names the step. */
const TIMEOUT_MS = 110_000;

interface ScreenOptions {
  width?: number;
  height?: number;
  dark?: boolean;
  /** Whether pages may run scripts. */
  javaScript?: boolean;
  /** Preferred language, such as `de-DE`. */
  locale?: string;
  /** Whether the device has a touch screen and no mouse. */
  touch?: boolean;
  /** Whether the app may install its service worker, whose requests tests cannot intercept. */
  serviceWorker?: boolean;
}

/** Creates a browser context without cookies. */
export async function newVisitor(
  baseURL: string,
  {
    width = 1280,
    height = 860,
    dark = false,
    javaScript = true,
    locale = 'en-GB',
    touch = false,
    serviceWorker = false,
  }: ScreenOptions = {},
): Promise<BrowserContext> {
  const context = await newContext({
    baseURL,
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    javaScriptEnabled: javaScript,
    timezoneId: 'Europe/Berlin',
    locale,
    hasTouch: touch,
    isMobile: touch,
    serviceWorkers: serviceWorker ? 'allow' : 'block',
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  return context;
}
