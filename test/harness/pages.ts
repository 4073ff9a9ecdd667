import type { Page } from 'playwright-core';

/** Pages of the web app: the path, and the wait until the content is shown. */
export const PAGES = {
  trash: {
    path: '/files/trash',
    act: (page: Page) =>
      page
        .getByRole('button', { name: /^Restore/ })
        .first()
        .waitFor(),
  },
  chat: {
    path: '/admin/chat',
    act: (page: Page) => page.getByRole('button', { name: /^Test/ }).first().waitFor(),
  },
  mailClients: {
    path: '/admin/mail',
    act: (page: Page) => page.getByRole('button', { name: /^Edit/ }).first().waitFor(),
  },
  mailTemplates: {
    path: '/admin/mail/templates',
    act: (page: Page) => page.getByRole('listitem').first().waitFor(),
  },
  templateEditor: {
    path: '/admin/mail/templates/welcome',
    act: (page: Page) => page.frameLocator('.mail-frame').locator('body *').first().waitFor(),
  },
  mailSettings: {
    path: '/admin/mail/settings',
    act: (page: Page) => page.getByRole('heading', { name: 'Telegram bot' }).waitFor(),
  },
  account: { path: '/account', act: (page: Page) => page.getByText('This browser').waitFor() },
} as const;
