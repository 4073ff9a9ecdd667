import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import sharp from 'sharp';
import { runCommand, runJson } from '../test/harness/command.ts';
import type { Posthouse } from '../test/harness/process.ts';
import type { DiscordStandIn } from '../test/stand-ins/discord.ts';

/** Names of a public file in the root folder, and of one with a password. */
export const PUBLIC_PICTURE = 'Summer party.jpg';
export const LOCKED_FILE = 'Price list.pdf';
/** Titles of a link to pictures, and of one that accepts files. */
export const ALBUM = 'A summer in the north';
export const INBOX = 'Pictures for the press';

const HOUR = 3_600_000;

/** Requests of the administrator that create sample data. */
interface Requests {
  json<Answer>(method: string, path: string, body?: unknown): Promise<Answer>;
  upload(name: string, content: string | Uint8Array<ArrayBuffer>, folder?: string): Promise<string>;
}

/** Fills a server with the data of a small company. @param headers of an administrator's session */
export async function fill(
  posthouse: Posthouse,
  headers: Record<string, string>,
  discord: DiscordStandIn,
): Promise<void> {
  const requests = requestsOf(posthouse, headers);
  await people(posthouse, requests);
  await files(requests);
  await chat(requests, discord);
  await mail(requests);
  spreadOver(posthouse, 46 * HOUR);
}

function requestsOf(posthouse: Posthouse, headers: Record<string, string>): Requests {
  return {
    async json(method, path, body) {
      const answer = await posthouse.fetch(path, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const text = await answer.text();
      if (!answer.ok && answer.status !== 502) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      return (text === '' ? undefined : JSON.parse(text)) as never;
    },
    async upload(name, content, folder = 'root') {
      const form = new FormData();
      form.set('file', new Blob([content]), name);
      const answer = await posthouse.fetch(`/api/storage/files/${folder}`, {
        method: 'POST',
        headers,
        body: form,
      });
      if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
      return ((await answer.json()) as { Id: string }).Id;
    },
  };
}

async function people(posthouse: Posthouse, requests: Requests): Promise<void> {
  const { settings } = posthouse;
  await runJson(
    settings,
    'user',
    'add',
    '--email',
    'grace@example.org',
    '--password',
    'correct horse battery',
    '--name',
    'Grace Hopper',
    '--admin',
  );
  await runJson(
    settings,
    'user',
    'add',
    '--email',
    'linus@example.org',
    '--password',
    'correct horse battery',
    '--name',
    'Linus T.',
  );
  await runCommand(settings, 'user', 'disable', '--email', 'linus@example.org');
  const { id } = await requests.json<{ id: string }>('POST', '/api/admin/people', {
    email: 'katherine@example.org',
    name: 'Katherine Johnson',
  });
  if (!id) throw new Error('nobody was invited');
  await requests.json('POST', '/api/account/tokens', { name: 'Nightly backup', scope: 'read', days: 90 });
  await requests.json('POST', '/api/account/tokens', {
    name: 'Upload from the scanner',
    scope: 'write',
    days: 365,
  });
}

async function files(requests: Requests): Promise<void> {
  const folder = async (name: string, parentFolderId = 'root') =>
    (await requests.json<{ id: string }>('POST', '/api/storage/folders', { name, parentFolderId })).id;
  const contracts = await folder('Contracts');
  await folder('2025', contracts);
  await requests.upload('Lease.pdf', pdf('Lease'), await folder('2026', contracts));
  const photos = await folder('Photos');
  for (const [name, hue, month, width, height] of [
    ['Harbour', 205, 8, 1600, 1060],
    ['Forest', 140, 8, 1060, 1600],
    ['Desert', 35, 8, 1600, 1060],
    ['Dusk', 265, 8, 1600, 900],
    ['Glacier', 190, 7, 1600, 1200],
    ['Meadow', 95, 7, 1600, 1060],
    ['Canyon', 15, 7, 1200, 1200],
    ['Coast', 225, 7, 1600, 1060],
    ['Heath', 320, 5, 1600, 900],
    ['Dunes', 45, 5, 1060, 1600],
    ['Fjord', 175, 5, 1600, 1060],
  ] as const) {
    const taken = `2026:0${month}:14 10:30:00`;
    await requests.upload(`${name}.jpg`, await landscape(hue, { width, height, taken }), photos);
  }
  const message = 'Eleven days between the harbour and the glacier.';
  await requests.json('POST', '/api/storage/links', { folderId: photos, title: ALBUM, message });
  await requests.json('POST', '/api/storage/links', {
    folderId: await folder('Press'),
    access: 'upload',
    title: INBOX,
    message: 'Please send the pictures of the opening by Friday.',
  });
  const party = await requests.upload(PUBLIC_PICTURE, await landscape(215));
  await requests.json('PATCH', `/api/storage/files/${party}`, { visibility: 1 });
  await requests.upload(
    'Budget 2026.csv',
    `month,amount\n${Array.from({ length: 4000 }, (_, row) => `${row % 12},${row * 37}`).join('\n')}\n`,
  );
  await requests.upload('Meeting notes.txt', 'Tuesday: all agreed.\n'.repeat(60));
  await requests.upload('Interview.mp3', mp3(6_400_000));
  await requests.upload('Website.zip', new Uint8Array([0x50, 0x4b, 5, 6, ...new Uint8Array(18)]));
  await requests.upload('settings.json', JSON.stringify({ theme: 'blue', columns: 3 }, null, 2));
  const offer = await requests.upload('Offer for Analytical Engines.pdf', pdf('Offer'));
  await requests.json('PATCH', `/api/storage/files/${offer}`, {
    visibility: 1,
    filePassword: 'sesame',
    accessKey: true,
    maxDownloads: 20,
    expiresAt: '2030-06-30T16:00:00Z',
  });
  const prices = await requests.upload(LOCKED_FILE, pdf('Prices'));
  await requests.json('PATCH', `/api/storage/files/${prices}`, { visibility: 1, filePassword: 'sesame' });
  await requests.upload(
    'Recording.mp4',
    new Uint8Array([
      0,
      0,
      0,
      0x18,
      ...Buffer.from('ftypmp42'),
      0,
      0,
      0,
      0,
      ...Buffer.from('mp42isom'),
      ...new Uint8Array(41_000_000),
    ]),
  );
  for (const name of ['Draft of the offer.txt', 'Old logo.txt']) {
    await requests.json('DELETE', `/api/storage/files/${await requests.upload(name, 'no longer needed')}`);
  }
}

async function chat(requests: Requests, discord: DiscordStandIn): Promise<void> {
  const bot = discord.world.addBot();
  const guild = Object.assign(discord.world.addGuild([bot]), { name: 'Workshop' });
  const channels = ['deployments', 'alerts', 'orders'].map((name) =>
    discord.world.addChannel(guild, { name }),
  );
  const { id } = await requests.json<{ id: string }>('POST', '/api/admin/chat/clients', {
    name: 'builds',
    token: bot.token,
  });
  await requests.json('POST', `/api/admin/chat/clients/${id}/import`, {});
  const post = (channel: number, title: string, message: string, level: string) =>
    requests.json('POST', '/api/chatbot/sendmessage', {
      clientId: 'builds',
      guildId: guild.id,
      channelId: channels[channel]?.id,
      title,
      message,
      level,
      fields: [{ name: 'Branch', value: 'main', inline: true }],
    });
  for (let number = 1; number <= 22; number++) {
    await post(
      number % 3,
      `Release ${number}.0 is out`,
      'All 1,284 tests are green.',
      number % 7 === 0 ? 'warning' : 'success',
    );
  }
  discord.script(
    { kind: 'status', status: 400, body: { message: 'Invalid Form Body', code: 50035 } },
    1,
    (method) => method === 'POST',
  );
  await post(1, 'Disk of db-1 is nearly full', '98 % of 500 GB are used.', 'error');
  const sandbox = await requests.json<{ id: string }>('POST', '/api/admin/chat/clients', {
    name: 'shop',
    relayKey: true,
  });
  const shop = await requests.json<{ id: string }>('POST', `/api/admin/chat/clients/${sandbox.id}/guilds`, {
    name: 'Staff',
    platformId: '100000000000000001',
  });
  await requests.json('POST', `/api/admin/chat/guilds/${shop.id}/channels`, {
    name: 'sales',
    platformId: '100000000000000002',
  });
}

async function mail(requests: Requests): Promise<void> {
  const shop = await requests.json<{ clientId: string; clientSecret: string }>(
    'POST',
    '/api/admin/mail/clients',
    {
      name: 'Shop',
      services: ['email', 'telegram'],
      limits: { second: 5, hour: 2000, day: null },
    },
  );
  const website = await requests.json<{ clientId: string; clientSecret: string }>(
    'POST',
    '/api/admin/mail/clients',
    {
      name: 'Website',
      services: ['contact'],
      contactTo: ['team@example.org'],
      origins: ['https://www.example.org'],
      limits: { second: 1, hour: 60, day: 500 },
    },
  );
  const signIn = { ClientId: shop.clientId, ClientSecret: shop.clientSecret };
  const names = ['Grace', 'Katherine', 'Dorothy', 'Mary', 'Annie', 'Radia', 'Barbara'];
  for (let number = 1; number <= 16; number++) {
    await requests.json('POST', '/requestemail', {
      ...signIn,
      To: `${names[number % names.length]?.toLowerCase()}@example.org`,
      Subject: `Your order ${4000 + number} is on its way`,
      HtmlTemplate: ORDER,
      TemplateData: { name: names[number % names.length], number: 4000 + number },
    });
  }
  await requests.json('POST', '/requesttelegram', {
    ...signIn,
    Recipients: '@warehouse',
    Message: 'The van is loaded.',
  });
  const form = { ClientId: website.clientId, ClientSecret: website.clientSecret };
  await requests.json('POST', '/sendcontactusform', {
    ...form,
    Name: 'Dorothy Vaughan',
    Email: 'dorothy@example.org',
    Message: 'Do you ship to Norway?',
  });
  for (const text of ['Get more visitors for your page today!', 'Cheap watches, today only']) {
    await requests.json('POST', '/sendcontactusform', {
      ...form,
      Email: 'offers@spam.example',
      Message: text,
      Website: 'https://spam.example',
    });
  }
}

const ORDER = `<mjml><mj-body background-color="#f3f5f8"><mj-section padding="20px"></mj-section>
<mj-section background-color="#fff" border-radius="8px"><mj-column>
<mj-text font-size="22px" font-weight="600">Thank you, {{ name }}</mj-text>
<mj-text font-size="16px" line-height="1.5">Your order {{ number }} has left our house and should be with you on Thursday.</mj-text>
<mj-button background-color="#2456c8" font-size="16px">Follow it</mj-button></mj-column></mj-section></mj-body></mjml>`;

/** Spreads the times of sent messages over the last hours. */
function spreadOver(posthouse: Posthouse, span: number): void {
  const database = new Database(join(posthouse.settings.POSTHOUSE_DATA_DIR ?? '', 'posthouse.sqlite'));
  const rows = database.query<{ id: string }, []>('select id from outbox order by id').all();
  const now = Date.now();
  rows.forEach(({ id }, index) => {
    // More messages toward the end.
    const age =
      Math.floor((span * (1 - index / Math.max(1, rows.length - 1)) ** 1.4) / (2.5 * HOUR)) * 2.5 * HOUR +
      (rows.length - index) * 1000;
    database
      .query('update outbox set date_created = ?, date_finished = ? where id = ?')
      .run(now - age, now - age + 900, id);
  });
  const files = database.query<{ id: string }, []>('select id from files').all();
  files.forEach(({ id }, index) => {
    const added = now - ((index * 7919) % 41) * 24 * HOUR - index * HOUR;
    database.query('update files set date_created = ?, date_modified = ? where id = ?').run(added, added, id);
  });
  database.close();
}

/** Returns silence: frames of 417 bytes, 128 kbit/s at 44.1 kHz. */
function mp3(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  for (let start = 0; start + 417 <= size; start += 417) bytes.set([0xff, 0xfb, 0x90, 0xc4], start);
  return bytes;
}

interface Shape {
  width?: number;
  height?: number;
  /** Such as `2026:08:14 10:30:00`. */
  taken?: string;
}

async function landscape(
  hue: number,
  { width = 1600, height = 1060, taken }: Shape = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"
viewBox="0 0 1600 1060" preserveAspectRatio="xMidYMax slice">
<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="hsl(${hue} 70% 72%)"/><stop offset="1" stop-color="hsl(${hue + 30} 75% 90%)"/></linearGradient></defs>
<rect y="-1400" width="1600" height="2460" fill="url(#sky)"/><circle cx="${700 + (hue % 7) * 90}" cy="300" r="110" fill="#fff" opacity=".7"/>
<path d="M0 760 Q400 ${520 - (hue % 90)} 800 740 T1600 620 V1060 H0z" fill="hsl(${hue} 30% 55%)"/>
<path d="M0 880 Q300 700 700 860 T1600 800 V1060 H0z" fill="hsl(${hue} 38% 38%)"/>
<path d="M0 980 Q500 860 900 970 T1600 930 V1060 H0z" fill="hsl(${hue} 45% 24%)"/></svg>`;
  const facts = {
    IFD0: { Make: 'FUJIFILM', Model: 'X-T5' },
    ...(taken && { IFD2: { DateTimeOriginal: taken } }),
  };
  return new Uint8Array(await sharp(Buffer.from(picture)).withExif(facts).jpeg({ quality: 88 }).toBuffer());
}

/** Returns a letter: a head with the title, and grey lines instead of text. */
function pdf(title: string): string {
  const lines = Array.from({ length: 20 }, (_, index) => {
    const width = index % 5 === 4 ? 220 : 430 + ((index * 37) % 70);
    return `48 ${680 - index * 28 - Math.floor(index / 5) * 16} ${width} 9 re f`;
  });
  const drawing = `.15 .35 .79 rg 0 742 595 100 re f
1 g BT /F 34 Tf 48 778 Td (${title}) Tj ET
.78 g ${lines.join(' ')}`;
  return `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length ${drawing.length}>>stream
${drawing}
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>endobj
trailer<</Root 1 0 R>>`;
}
