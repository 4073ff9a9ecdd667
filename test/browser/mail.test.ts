import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { freshSettings } from '../harness/backends.ts';
import { post } from '../harness/mail.ts';
import { addAdmin, type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { openApp, type Seat } from '../harness/web.ts';
import { startSmtpStandIn } from '../stand-ins/smtp.ts';

describe('mail administration in the web app', () => {
  let posthouse: Posthouse;
  let seat: Seat;
  let page: Page;
  beforeAll(async () => {
    posthouse = await startPosthouse(await freshSettings('sqlite+local'));
    await addAdmin(posthouse.settings);
  });
  beforeEach(async () => {
    seat = await openApp(posthouse, 'ada@example.org', '/admin/mail');
    page = seat.page;
    await page.getByRole('heading', { name: 'Mail', level: 1 }).waitFor();
  });
  afterEach(() => seat.leave());

  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  const shown = async (field: string) => (await page.getByTestId(field).textContent()) ?? '';

  async function createClient(
    name: string,
    fill: (dialog: ReturnType<Page['getByRole']>) => Promise<void> = async () => {},
    service = 'Mail',
  ) {
    await page.getByRole('button', { name: 'New client' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Name/).fill(name);
    await dialog.getByLabel(service, { exact: true }).check();
    await fill(dialog);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.waitFor({ state: 'detached' });
    return { ClientId: await shown('ClientId'), ClientSecret: await shown('ClientSecret') };
  }

  test('a new client sends into the sandbox, and its e-mail is displayed', async () => {
    const client = await createClient('shop');
    const answer = await post(posthouse, '/requestemail', {
      ...client,
      To: 'visitor@example.org',
      Subject: 'Your order',
      HtmlTemplate: '<h1>Thank you, {{ name }}</h1>',
      TemplateData: { name: 'Grace' },
      Attachments: [
        { FileName: 'invoice.txt', ContentType: 'text/plain', Content: Buffer.from('42').toString('base64') },
      ],
    });
    expect(answer.status).toBe(200);
    await page.getByRole('link', { name: 'Messages' }).click();
    await row('Your order').getByText('Sandbox').waitFor();
    await row('Your order')
      .getByText(/visitor@example\.org · shop/)
      .waitFor();
    await row('Your order').getByRole('button').click();
    await page.frameLocator('iframe.mail-frame').getByRole('heading', { name: 'Thank you, Grace' }).waitFor();
    await page
      .getByRole('dialog')
      .locator('label', { hasText: /^Text$/ })
      .click();
    await page
      .locator('.mail-text')
      .getByText(/Thank you, Grace/i)
      .waitFor();
    const [attachment] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'invoice.txt' }).click(),
    ]);
    expect(attachment.suggestedFilename()).toBe('invoice.txt');
  });

  test('a secret is shown once and rotated; field errors are shown at the field', async () => {
    await page.getByRole('button', { name: 'New client' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Name/).fill('wrong');
    await dialog.getByLabel('Mail', { exact: true }).check();
    await dialog.getByLabel('Sender', { exact: true }).fill('no address');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText(/must be one e-mail address/).waitFor();
    await dialog.getByLabel('Sender', { exact: true }).fill('');
    await dialog.getByLabel('Use a separate mail server').check();
    await dialog.getByLabel('Host').fill('no host');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByLabel('Host').and(page.locator('[aria-invalid=true]')).waitFor();
    page.once('dialog', (question) => void question.accept());
    await page.keyboard.press('Escape');

    const first = await createClient('rotating');
    await page.reload();
    await row('rotating').waitFor();
    expect(await page.content()).not.toContain(first.ClientSecret);
    await row('rotating').getByRole('button', { name: 'Actions for rotating' }).click();
    await page.getByRole('menuitem', { name: 'New secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click();
    await page.getByTestId('ClientSecret').waitFor();
    const second = { ...first, ClientSecret: await shown('ClientSecret') };
    expect(second.ClientSecret).not.toBe(first.ClientSecret);
    const body = { To: 'a@example.org', Subject: 's', Body: 'b' };
    expect((await post(posthouse, '/requestemail', { ...second, ...body })).status).toBe(200);

    await row('rotating').getByRole('button', { name: 'Actions for rotating' }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await row('rotating').getByText('Disabled').waitFor();
    expect((await post(posthouse, '/requestemail', { ...second, ...body })).status).toBe(401);
  });

  test('limits, allowed senders and recipients are edited and enforced', async () => {
    const client = await createClient('bounded', async (dialog) => {
      await dialog.getByLabel('Sender', { exact: true }).fill('Shop <shop@example.org>');
      await dialog.getByLabel('Other allowed senders').fill('@sales.example.org');
      await dialog.getByLabel('per second').fill('5');
      await dialog.getByLabel('per hour').fill('50');
      await dialog.getByLabel('per day').fill('2');
    });
    const send = async (more: Record<string, unknown> = {}) =>
      (
        await post(posthouse, '/requestemail', {
          ...client,
          To: 'a@example.org',
          Subject: 's',
          Body: 'b',
          ...more,
        })
      ).status;
    expect(await send({ From: 'boss@example.org' })).toBe(400);
    expect(await send({ From: 'ann@sales.example.org' })).toBe(200);
    await page.reload();
    await row('bounded').getByRole('button', { name: 'Edit bounded' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('per hour').inputValue()).toBe('50');
    await dialog.getByLabel('per hour').fill('');
    await dialog.getByLabel('Allowed recipients').fill('@example.org');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await send({ To: 'a@elsewhere.example' })).toBe(400);
    expect(await send()).toBe(200);
    // Messages over the limit wait and state the reason.
    expect(await send({ Subject: 'One too many' })).toBe(202);
    await page.getByRole('link', { name: 'Messages' }).click();
    await row('One too many').getByText('Waiting').waitFor();
    await row('One too many').getByText('this client may send 2 messages a day').waitFor();
  });

  test('a contact form needs a recipient, and origins unless only a server calls', async () => {
    await page.getByRole('button', { name: 'New client' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Name/).fill('careful');
    await dialog.getByLabel('Contact form', { exact: true }).check();
    const recipients = dialog.getByLabel('Recipients of contact messages');
    const origins = dialog.getByLabel('Allowed origins');
    const missing = async () => {
      await dialog.getByRole('button', { name: 'Create' }).click();
      return await dialog
        .locator(':invalid:not(form, fieldset)')
        .evaluateAll((all) => all.map((one) => one.getAttribute('name')));
    };
    expect(await missing()).toEqual(['contactTo', 'origins']);
    await recipients.fill('team@example.org');
    expect(await missing()).toEqual(['origins']);
    await origins.fill('https://www.example.org');
    await dialog.getByLabel('Page after sending').fill('https://evil.example/thanks');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('must be a page on one of the allowed origins').waitFor();
    await dialog.getByLabel('Called by my server only').check();
    expect(await origins.count()).toBe(0);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row('careful').getByRole('button', { name: 'Request for careful' }).waitFor();
  });

  test('the contact-form HTML is offered only to contact-only clients with origins', async () => {
    await createClient('wide');
    expect(await row('wide').getByRole('button', { name: 'Form for wide' }).count()).toBe(0);
    const client = await createClient(
      'contact page',
      async (dialog) => {
        await dialog.getByLabel('Recipients of contact messages').fill('team@example.org');
        await dialog.getByLabel('Allowed origins').fill('https://www.example.org');
      },
      'Contact form',
    );
    await row('contact page').getByRole('button', { name: 'Form for contact page' }).click();
    const form = (await page.locator('.code-block').textContent()) ?? '';
    expect(form).toContain(`value="${client.ClientSecret}"`);
    expect(form).toContain(`action="http://localhost:${new URL(posthouse.url).port}/sendcontactusform"`);
    await page.keyboard.press('Escape');
    await page.reload();
    await row('contact page').getByRole('button', { name: 'Form for contact page' }).click();
    expect(await page.locator('.code-block').textContent()).toContain('YOUR_CLIENT_SECRET');
  });

  test('the language of contact messages is chosen in the dialog', async () => {
    await createClient(
      'german',
      async (dialog) => {
        await dialog.getByLabel('Recipients of contact messages').fill('team@example.org');
        await dialog.getByLabel('Allowed origins').fill('https://www.example.org');
        await dialog.getByLabel('Language of contact messages').selectOption({ label: 'Deutsch' });
      },
      'Contact form',
    );
    await page.reload();
    const dialog = page.getByRole('dialog');
    const choice = dialog.getByLabel('Language of contact messages');
    await row('german').getByRole('button', { name: 'Edit german' }).click();
    expect(await choice.inputValue()).toBe('de');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'New client' }).click();
    await dialog.getByLabel('Contact form', { exact: true }).check();
    expect(await choice.inputValue()).toBe('en');
  });

  test('a new client names its services, with a warning for contact combined with another', async () => {
    await page.getByRole('button', { name: 'New client' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Name/).fill('combined');
    expect(await dialog.getByRole('group').getByRole('checkbox', { checked: true }).count()).toBe(0);
    expect(await dialog.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
    const warning = dialog.getByText(/secret of a contact form is public/);
    await dialog.getByLabel('Contact form', { exact: true }).check();
    await dialog.getByLabel('Recipients of contact messages').fill('team@example.org');
    await dialog.getByLabel('Allowed origins').fill('https://www.example.org');
    expect(await warning.count()).toBe(0);
    await dialog.getByLabel('Mail', { exact: true }).check();
    await warning.waitFor();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row('combined').getByText('Contact form').waitFor();
    await row('combined').getByRole('button', { name: 'Actions for combined' }).click();
    await page.getByRole('menuitem', { name: 'Form' }).click();
    await dialog.getByText('Create a client for the contact form alone.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await row('combined').getByRole('button', { name: 'Edit combined' }).click();
    await warning.waitFor();
    await dialog.getByLabel('Telegram', { exact: true }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row('combined').getByText('Telegram').waitFor();
  });

  test('input stays after a click outside its form, and after a link that is not confirmed', async () => {
    const beside = () => page.mouse.click(5, 400);
    await page.getByRole('button', { name: 'New client' }).click();
    const name = page.getByRole('dialog').getByLabel(/^Name/);
    await name.fill('Shop');
    await beside();
    expect(await name.inputValue()).toBe('Shop');
    await name.fill('');
    await beside();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goto('/admin/mail/templates/welcome');
    const subject = page.getByLabel('Subject');
    await subject.fill('Hello');
    const answered = async (answer: 'accept' | 'dismiss') => {
      const [question] = await Promise.all([
        page.waitForEvent('dialog').then(async (shown) => {
          await shown[answer]();
          return shown.message();
        }),
        page.getByRole('link', { name: 'All templates' }).click(),
      ]);
      return question;
    };
    expect(await answered('dismiss')).toBe('Discard unsaved changes?');
    expect(await subject.inputValue()).toBe('Hello');
    await answered('accept');
    await page.getByRole('link', { name: 'New template' }).waitFor();
  });

  test('a template is edited with a preview, tested, saved and used', async () => {
    await page.getByRole('tab', { name: 'Templates' }).click();
    await page.getByRole('link', { name: 'New template' }).click();
    await page.getByLabel(/^Name/).fill('order-shipped');
    await page.getByLabel('Subject').fill('{{ product }} is on its way');
    await page
      .getByRole('textbox', { name: 'HTML or MJML' })
      .fill(
        '<mjml><mj-body><mj-section><mj-column><mj-text>{{ product }} by {{ carrier }}</mj-text></mj-column></mj-section></mj-body></mjml>',
      );
    await page.getByRole('tab', { name: 'Sample data' }).click();
    await page.getByRole('textbox', { name: 'Sample data' }).fill('{ "product": ');
    await page.getByText('This is not a JSON object.').waitFor();
    await page
      .getByRole('textbox', { name: 'Sample data' })
      .fill('{ "product": "A kettle", "carrier": "<b>Post</b>" }');
    const frame = page.frameLocator('iframe.mail-frame');
    await frame.getByText('A kettle by <b>Post</b>').waitFor();
    await page.getByText('A kettle is on its way').waitFor();
    await page.locator('label', { hasText: /^Phone$/ }).click();
    expect((await page.locator('iframe.mail-frame').boundingBox())?.width).toBeLessThanOrEqual(392);
    await page
      .locator('label', { hasText: /^Text$/ })
      .first()
      .click();
    await page.locator('.mail-text').getByText('A kettle by <b>Post</b>').waitFor();

    await page.getByRole('tab', { name: 'HTML or MJML' }).click();
    await page.getByRole('textbox', { name: 'HTML or MJML' }).fill('<p>{{ product | }}</p>{% if %}');
    await page.getByRole('alert').getByText(/line/i).first().waitFor();
    await page.getByRole('textbox', { name: 'HTML or MJML' }).fill('<p>{{ product }} comes today</p>');
    await page.getByRole('button', { name: 'Save template' }).click();
    await page.getByText('Template saved').waitFor();
    await page.getByRole('heading', { name: 'order-shipped' }).waitFor();
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('dialog').getByLabel('To', { exact: true }).fill('me@example.org');
    await page.getByRole('dialog').getByRole('button', { name: 'Send test' }).click();
    await page.getByText('Stored in the sandbox').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.getByRole('textbox', { name: 'HTML or MJML' }).fill('<p>{{ product }} comes tomorrow</p>');
    await page.getByRole('button', { name: 'Save new version' }).click();
    await page.getByText('Version 2').first().waitFor();
    await page.getByRole('button', { name: 'Earlier versions' }).click();
    await page.getByRole('menuitem', { name: /Version 1/ }).click();
    await frame.getByText('A kettle comes today').waitFor();

    page.once('dialog', (question) => void question.accept());
    await page.getByRole('link', { name: 'All templates' }).click();
    await row('order-shipped').getByText('Version 2').waitFor();
    await page.getByRole('tab', { name: 'Clients' }).click();
    const client = await createClient('shipping');
    const answer = await post(posthouse, '/requestemail', {
      ...client,
      To: 'visitor@example.org',
      TemplateName: 'order-shipped',
      TemplateData: { product: 'A pan' },
    });
    expect(answer.status).toBe(200);
    await page.getByRole('link', { name: 'Messages' }).click();
    await row('A pan is on its way').getByRole('button').click();
    await page.frameLocator('iframe.mail-frame').getByText('A pan comes tomorrow').waitFor();
  });

  test('a template that another administrator has saved is shown at the next visit', async () => {
    const save = (method: string, path: string, subject: string) =>
      page.evaluate(`fetch('/api/admin/mail/templates${path}', {
        method: '${method}',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'notice', subject: '${subject}', html: null, text: 'x', sample: {} }),
      }).then(async (r) => r.ok || r.text())`);
    expect(await save('POST', '', 'First')).toBe(true);
    await page.goto('/admin/mail/templates/notice');
    await page.getByLabel('Subject').and(page.locator('[value=First]')).waitFor();
    await page.getByRole('link', { name: 'All templates' }).click();
    expect(await save('PUT', '/notice', 'Second')).toBe(true);
    await page.getByRole('link', { name: 'notice' }).click();
    await page.getByLabel('Subject').and(page.locator('[value=Second]')).waitFor();
  });

  test('the page of a template that does not exist leads to all templates', async () => {
    await page.goto('/admin/mail/templates/missing');
    await page.getByRole('heading', { name: 'missing', level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
    await page.getByRole('link', { name: 'All templates' }).click();
    await page.getByRole('link', { name: 'New template' }).waitFor();
  });

  test('the settings list the missing parts, and send tests', async () => {
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByText(/Set POSTHOUSE_SMTP_URL/).waitFor();
    const mail = page.locator('.panel').filter({ has: page.getByRole('heading', { name: 'Mail server' }) });
    await mail.getByLabel('To').fill('me@example.org');
    await mail.getByRole('button', { name: 'Send test' }).click();
    await mail.getByText('Stored in the sandbox').waitFor();
    const telegram = page
      .locator('.panel')
      .filter({ has: page.getByRole('heading', { name: 'Telegram bot' }) });
    await telegram.getByLabel('Chat').fill('@my_channel');
    await telegram.getByRole('button', { name: 'Send test' }).click();
    await telegram.getByText('Stored in the sandbox').waitFor();
    await telegram.getByRole('link', { name: 'Show message' }).click();
    await page.getByRole('dialog').getByText('@my_channel').first().waitFor();
  });

  test('a client sends a test through its own mail server', async () => {
    const own = await startSmtpStandIn();
    await createClient('own server', async (dialog) => {
      await dialog.getByLabel('Sender', { exact: true }).fill('own@example.org');
      await dialog.getByLabel('Use a separate mail server').check();
      await dialog.getByLabel('Host').fill(own.host);
      await dialog.getByLabel('Port').fill(String(own.port));
      await dialog.getByLabel('Security').selectOption('none');
    });
    await row('own server').getByRole('button', { name: 'Actions for own server' }).click();
    await page.getByRole('menuitem', { name: 'Send test' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Uses the mail server of this client.').waitFor();
    await dialog.getByLabel('To').fill('me@example.org');
    await dialog.getByRole('button', { name: 'Send test' }).click();
    await dialog.getByText('Delivered.').waitFor();
    expect((await own.arrived(({ to }) => to[0] === 'me@example.org')).from).toBe('own@example.org');
    await own.stop();
  });

  test('a test through a wrong mail server is tried once, and its dialog names the setting to correct', async () => {
    await createClient('misspelt', async (dialog) => {
      await dialog.getByLabel('Sender', { exact: true }).fill('own@example.org');
      await dialog.getByLabel('Use a separate mail server').check();
      await dialog.getByLabel('Host').fill('127.0.0.1');
      await dialog.getByLabel('Port').fill('1');
      await dialog.getByLabel('Security').selectOption('none');
    });
    await row('misspelt').getByRole('button', { name: 'Actions for misspelt' }).click();
    await page.getByRole('menuitem', { name: 'Send test' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('To').fill('me@example.org');
    await dialog.getByRole('button', { name: 'Send test' }).click();
    await dialog.getByText('127.0.0.1:1 accepts no connections. Check host and port.').waitFor();
    await page.goto('/admin/messages?status=failed');
    await row('Test e-mail from Posthouse').getByText('1 attempt').waitFor();
  });

  test('a contact message flagged as spam is released', async () => {
    const client = await createClient(
      'honey',
      async (dialog) => {
        await dialog.getByLabel('Recipients of contact messages').fill('team@example.org');
        await dialog.getByLabel('Called by my server only').check();
      },
      'Contact form',
    );
    await post(posthouse, '/sendcontactusform', {
      ...client,
      Email: 'eager@example.org',
      Message: 'Buy my things',
      Website: 'https://spam.example',
    });
    await page.getByRole('tab', { name: 'Spam' }).click();
    await row('eager@example.org').getByText('Buy my things').waitFor();
    await row('eager@example.org').getByText('Hidden field filled in').waitFor();
    await row('eager@example.org').getByRole('button', { name: 'Send anyway' }).click();
    await page.getByText('No spam').waitFor();
    await page.getByRole('link', { name: 'Messages' }).click();
    await row('team@example.org').getByText('Sandbox').waitFor();
  });
});
