import { afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { freshSettings } from '../harness/backends.ts';
import { newVisitor } from '../harness/chromium.ts';
import { startIssuer } from '../harness/issuer.ts';
import { freePort } from '../harness/peers.ts';
import { addAdmin, addPerson, type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { openApp, type Seat } from '../harness/web.ts';

describe('people and accounts in the web app', () => {
  let posthouse: Posthouse;
  let seat: Seat | null = null;
  beforeAll(async () => {
    posthouse = await startPosthouse(await freshSettings('sqlite+local'));
    await addAdmin(posthouse.settings);
  });
  afterEach(async () => {
    await seat?.leave();
    seat = null;
  });

  const open = async (path: string, email = 'ada@example.org') => {
    seat = await openApp(posthouse, email, path);
    return seat.page;
  };

  test('a person signs in with a form and signs out', async () => {
    const visitor = await newVisitor(posthouse.url);
    const page = await visitor.newPage();
    await page.goto('/admin/people');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.locator('input[name=email]').fill('ada@example.org');
    await page.locator('input[name=password]').fill('correct horse battery');
    await page.getByRole('button').first().click();
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect((await visitor.request.get('/api/me')).status()).toBe(401);
    await visitor.close();
  });

  test('signing out goes through the logout of the OpenID provider to the welcome page', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const issuer = await startIssuer([url]);
    issuer.person = { sub: '1', email: 'eve@example.org', email_verified: true };
    const elsewhere = await startPosthouse({
      ...(await freshSettings('sqlite+local')),
      ...issuer.settings,
      PORT: String(port),
      POSTHOUSE_PUBLIC_URL: url,
      POSTHOUSE_OIDC_ALLOW: '@example.org',
    });
    const visitor = await newVisitor(url);
    const page = await visitor.newPage();
    await page.goto('/files');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByText('This folder is empty').waitFor();
    const [asked] = await Promise.all([
      page.waitForRequest((request) => request.url().endsWith('/logout') && request.method() === 'POST'),
      page.waitForURL((address) => address.origin === issuer.url),
      page.getByRole('button', { name: 'Sign out' }).click(),
    ]);
    expect(asked.headers().accept).toBe('application/json');
    await page.getByRole('button', { name: /yes/i }).click();
    await page.waitForURL(`${url}/`);
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect((await visitor.request.get('/api/me')).status()).toBe(401);
    await visitor.close();
    await elsewhere.stop();
    await issuer.stop();
  });

  test('an address that has an account is refused at its field, until it is changed', async () => {
    const page = await open('/admin/people');
    await page.getByRole('button', { name: 'Invite person' }).click();
    const address = page.getByLabel('E-mail address');
    await address.fill('ada@example.org');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.locator('[aria-invalid=true]').and(address).waitFor();
    await page.getByRole('dialog').getByText('An account with this address already exists.').waitFor();
    expect(await page.getByText('Something went wrong').count()).toBe(0);
    await address.fill('adam@example.org');
    await page.locator('[aria-invalid=true]').waitFor({ state: 'detached' });
  });

  test('a person is invited, sets a password with the link, and is disabled', async () => {
    const page = await open('/admin/people');
    await page.getByRole('button', { name: 'Invite person' }).click();
    await page.getByLabel('E-mail address').fill('ada@example.org');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page
      .getByText(/account with this address|has an account/i)
      .first()
      .waitFor();
    await page.getByLabel('E-mail address').fill('grace@example.org');
    await page.getByLabel('Name (optional)').fill('Grace');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const link = (await page.getByTestId('Link').textContent()) ?? '';

    const grace = await newVisitor(posthouse.url);
    const hers = await grace.newPage();
    await hers.goto(link);
    for (const field of await hers.locator('input[type=password]').all())
      await field.fill('a very good password');
    await hers.getByRole('button').first().click();
    await hers.goto('/');
    const signInLink = hers.getByRole('link', { name: 'Sign in' });
    if (await signInLink.isVisible().catch(() => false)) await signInLink.click();

    const row = page.getByRole('listitem').filter({ hasText: 'grace@example.org' });
    await Promise.all([
      page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.ok()),
      row.getByLabel('Role of Grace').selectOption('admin'),
    ]);
    await row.getByRole('button', { name: 'Actions for Grace' }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await row.getByText('Disabled').waitFor();
    expect((await grace.request.get('/api/me')).status()).toBe(401);
    await grace.close();
    await row.getByRole('button', { name: 'Actions for Grace' }).click();
    await page.getByRole('menuitem', { name: 'Enable' }).click();
    await row.getByText('Disabled').waitFor({ state: 'detached' });
  });

  test('a token is shown once, used, and revoked', async () => {
    const page = await open('/account');
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Name').fill('backup');
    await page.getByLabel('Scope').selectOption('read');
    await page.getByRole('button', { name: 'Create token' }).click();
    const token = (await page.getByTestId('Token').textContent()) ?? '';
    const headers = { Authorization: `Bearer ${token}` };
    expect((await posthouse.fetch('/api/storage/workspaces', { headers })).status).toBe(200);
    await page.reload();
    const row = page.getByRole('listitem').filter({ hasText: 'backup' });
    await row.getByText(/Last used .* expires/).waitFor();
    expect(await page.content()).not.toContain(token);
    const docs = page.getByRole('link', { name: 'API documentation' });
    expect(await docs.getAttribute('href')).toBe('/docs');
    await row.getByRole('button', { name: 'Revoke backup' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No tokens yet.').waitFor();
    expect((await posthouse.fetch('/api/storage/workspaces', { headers })).status).toBe(401);
  });

  test('another session is ended, and the password is changed', async () => {
    await addPerson(posthouse.settings, 'bob@example.org');
    const elsewhere = await openApp(posthouse, 'bob@example.org', '/account');
    const page = await open('/account', 'bob@example.org');
    const sessions = page.getByRole('list', { name: 'Sessions' });
    await sessions.getByText('This browser').waitFor();
    await sessions
      .getByRole('button', { name: /^Sign out of/ })
      .first()
      .click();
    await sessions.getByRole('button', { name: /^Sign out of/ }).waitFor({ state: 'detached' });
    // The next request of the other browser shows that its session has ended: this one, or an earlier one of the app.
    const createToken = async () => {
      await elsewhere.page.getByRole('button', { name: 'New token' }).click();
      await elsewhere.page.getByLabel('Name').fill('too late');
      await elsewhere.page.getByRole('button', { name: 'Create token' }).click();
    };
    void createToken().catch(() => {});
    await elsewhere.page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await elsewhere.page.getByRole('link', { name: 'Sign in' }).waitFor();
    await elsewhere.leave();
    await page.getByLabel('Current password').fill('wrong');
    await page.getByLabel('New password').fill('another good password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.locator('form').getByText('The current password is wrong.').waitFor();
    expect(await page.getByText('The e-mail address or the password is wrong').count()).toBe(0);
    await page.getByLabel('Current password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed').waitFor();
  });

  test('users without the administrator role see no administration pages or links', async () => {
    await addPerson(posthouse.settings, 'carol@example.org');
    const page = await open('/', 'carol@example.org');
    await page.getByRole('heading', { name: 'Recent files' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Messages per hour' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'People' }).count()).toBe(0);
    await page.goto('/admin/people');
    await page.getByRole('heading', { name: 'Administrators only' }).waitFor();
  });

  test('the home page of administrators loads less than 250 kB of compressed script', async () => {
    await open('/account');
    // A browser with an empty cache.
    const fresh = await newVisitor(posthouse.url);
    await fresh.addCookies((await seat?.context.cookies()) ?? []);
    const page = await fresh.newPage();
    const sizes: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      if (request.url().endsWith('.js'))
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    });
    await page.goto('/');
    await page.getByRole('list', { name: 'Server status' }).getByText('Database', { exact: true }).waitFor();
    // The stream of events never ends.
    await page.waitForLoadState('load');
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(50_000);
    expect(total).toBeLessThan(250_000);
    await fresh.close();
  });

  test('a new server lists the first steps, which can be hidden', async () => {
    const page = await open('/');
    const steps = page.getByRole('list', { name: 'First steps' });
    const step = (title: string) => steps.getByRole('listitem').filter({ hasText: title });
    await step('Mail server').getByRole('img', { name: 'To do' }).waitFor();
    await step('People').getByRole('img', { name: 'Done' }).waitFor();
    await step('Application').getByRole('link', { name: 'Create client' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'New client' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.goto('/');
    await step('First file').getByRole('link', { name: 'Upload' }).click();
    await page
      .getByTestId('files')
      .setInputFiles([{ name: 'first.txt', mimeType: 'text/plain', buffer: Buffer.from('x') }]);
    await page.getByText('1 uploaded').waitFor();
    await page.goto('/');
    await step('First file').getByRole('img', { name: 'Done' }).waitFor();
    await page.getByRole('button', { name: 'Hide' }).click();
    await steps.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('list', { name: 'Server status' }).getByText('Database', { exact: true }).waitFor();
    expect(await steps.count()).toBe(0);
  });

  test('the home page shows the server status, and sets quotas', async () => {
    const page = await open('/');
    const parts = page.getByRole('list', { name: 'Server status' });
    await parts.getByText('Database', { exact: true }).waitFor();
    await parts.getByRole('img', { name: 'Not set up' }).first().waitFor();
    await page.getByRole('button', { name: 'Quota of ada' }).click();
    await page.getByLabel('Quota in GiB').fill('0.5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Custom quota').waitFor();
    await page.getByText(/ of 512 MiB$/).waitFor();
  });
});
