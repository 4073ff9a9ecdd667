import { expect } from 'bun:test';
import type { BrowserContext, Page } from 'playwright-core';
import { cookiesOf } from './browser.ts';
import { newVisitor } from './chromium.ts';
import { openSession, type Posthouse } from './posthouse.ts';

/** A person who uses the web app. */
export interface Seat {
  page: Page;
  context: BrowserContext;
  /** Fails the test if the page had a script error or a policy violation. */
  leave(): Promise<void>;
}

/** Signs a person in and opens a page of the app in a new browser context. */
export async function openApp(
  posthouse: Posthouse,
  email: string,
  path: string,
  screen: NonNullable<Parameters<typeof newVisitor>[1]> = {},
): Promise<Seat> {
  const { cookie } = await openSession(posthouse, email);
  const context = await newVisitor(posthouse.url, screen);
  await context.addCookies(cookiesOf(cookie, posthouse.url));
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    const isRefusal = /content security policy|refused to/i.test(message.text());
    // A displayed mail must load nothing, in particular not its tracking pixel.
    if (isRefusal && !message.text().includes('/mail/opens/')) faults.push(message.text());
  });
  await page.goto(path);
  await page
    .getByRole('navigation', { name: /^(?:Pages|Seiten)$/ })
    .first()
    .waitFor({ state: 'attached' });
  return {
    page,
    context,
    async leave() {
      await context.close();
      expect(faults).toEqual([]);
    },
  };
}

/** Drops files and folders from the disk onto an element, like a desktop's file manager. */
export async function dropFromDesktop(page: Page, selector: string, paths: readonly string[]): Promise<void> {
  const box = await page.locator(selector).boundingBox();
  if (!box) throw new Error(`${selector} is not displayed`);
  const protocol = await page.context().newCDPSession(page);
  const place = {
    x: box.x + box.width / 2,
    y: box.y + box.height / 2,
    data: { items: [], files: [...paths], dragOperationsMask: 1 },
  };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await protocol.send('Input.dispatchDragEvent', { type, ...place });
  await protocol.detach();
}
