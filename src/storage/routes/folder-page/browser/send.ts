/*
 * Sends the files of the form of a link one by one, with their progress, and continues after a broken connection
 * (tus 1.0.0, https://tus.io/protocols/resumable-upload). It runs in browsers; without it, the form sends all files.
 */

const AT_ONCE = 3;
/** Pauses before the next tries after failures. */
const RETRY_MS = [1000, 2000, 5000, 10_000, 30_000];
/** Without progress for so long, a connection is taken for broken. */
const STALLED_MS = 60_000;
const english = {
  files: (count: number) => (count === 1 ? '1 file' : `${count} files`),
  arrivedFile: 'Arrived',
  waiting: 'Waiting',
  connectionLost: 'Connection lost, trying again',
  refused: (status: number) => `Refused (${status})`,
  toSend: 'Files to send',
  choose: 'Choose files',
  drop: 'Or drop files and folders here.',
  remove: (name: string) => `Remove ${name}`,
  sizeOf: (sent: string, size: string) => `${sent} of ${size}`,
  send: (files: string) => `Send ${files}`,
  sendFiles: 'Send files',
  arrivedOf: (arrived: number, files: string) => `${arrived} of ${files} arrived`,
  thanks: (files: string) => `Thank you. ${files} arrived.`,
  show: 'Show them',
};
const german: typeof english = {
  files: (count) => (count === 1 ? '1 Datei' : `${count} Dateien`),
  arrivedFile: 'Angekommen',
  waiting: 'Wartet',
  connectionLost: 'Verbindung verloren, neuer Versuch',
  refused: (status) => `Abgelehnt (${status})`,
  toSend: 'Zu sendende Dateien',
  choose: 'Dateien wählen',
  drop: 'Oder Dateien und Ordner hier ablegen.',
  remove: (name) => `${name} entfernen`,
  sizeOf: (sent, size) => `${sent} von ${size}`,
  send: (files) => `${files} senden`,
  sendFiles: 'Dateien senden',
  arrivedOf: (arrived, files) => `${arrived} von ${files} angekommen`,
  thanks: (files) => `Danke. ${files} angekommen.`,
  show: 'Zeigen',
};
const LANGUAGE = document.documentElement.lang;
const texts = LANGUAGE === 'de' ? german : english;

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

interface Item {
  file: File;
  state: 'waiting' | 'sending' | 'sent' | 'refused';
  /** Of the upload on the server; null = not begun. */
  address: string | null;
  /** Bytes that the server has; null = to be asked for. */
  offset: number | null;
  failures: number;
  request: XMLHttpRequest | null;
  show(text: string, offset?: number): void;
}

function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

function readableSize(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const digits = power === 0 ? 0 : 1;
  const value = (bytes / 1024 ** power).toLocaleString(LANGUAGE, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  });
  return `${value} ${UNITS[power]}`;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The upload of a file that was begun before this page was loaded again. */
const keyOf = ({ name, size, lastModified }: File) => [location.pathname, name, size, lastModified].join('|');

/** Sends a request of the protocol; the status of a broken connection is 0. */
function request(
  item: Item,
  method: string,
  url: string,
  headers: Record<string, string>,
  body?: Blob,
): Promise<XMLHttpRequest> {
  const { promise, resolve } = Promise.withResolvers<XMLHttpRequest>();
  const sent = new XMLHttpRequest();
  const begin = item.offset ?? 0;
  let stalled = setTimeout(() => sent.abort(), STALLED_MS);
  sent.upload.addEventListener('progress', ({ loaded }) => {
    clearTimeout(stalled);
    stalled = setTimeout(() => sent.abort(), STALLED_MS);
    item.show('', begin + loaded);
  });
  sent.addEventListener('loadend', () => {
    clearTimeout(stalled);
    item.request = null;
    resolve(sent);
  });
  sent.open(method, url);
  for (const [name, value] of Object.entries({ 'Tus-Resumable': '1.0.0', ...headers }))
    sent.setRequestHeader(name, value);
  item.request = sent;
  sent.send(body ?? null);
  return promise;
}

function metadataOf(values: Record<string, string>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key} ${btoa(String.fromCharCode(...new TextEncoder().encode(value)))}`)
    .join(',');
}

/** Sends the next request for a file: creates its upload, asks for its offset, or sends its bytes. */
async function step(item: Item, endpoint: string, sender: string): Promise<XMLHttpRequest> {
  const { file, address, offset } = item;
  if (address === null) {
    const metadata = metadataOf({ filename: file.name, filetype: file.type, uploaderName: sender });
    const headers = { 'Upload-Length': String(file.size), 'Upload-Metadata': metadata };
    const answer = await request(item, 'POST', endpoint, headers);
    if (answer.status !== 201) return answer;
    item.address = answer.getResponseHeader('Location');
    item.offset = 0;
    sessionStorage.setItem(keyOf(file), item.address ?? '');
    return answer;
  }
  const answer =
    offset === null
      ? await request(item, 'HEAD', address, {})
      : await request(
          item,
          'PATCH',
          address,
          { 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' },
          file.slice(offset),
        );
  item.offset = null;
  const received = answer.getResponseHeader('Upload-Offset');
  if (answer.status < 300 && received !== null) item.offset = Number(received);
  // Cancelled or expired: it begins anew.
  if (answer.status === 404 || answer.status === 410) item.address = null;
  return answer;
}

const MAY_PASS = new Set([0, 404, 409, 410, 423, 429, 500, 502, 503, 504]);

/** Sends a file until it has arrived or is refused for good. */
async function send(item: Item, endpoint: string, sender: string): Promise<void> {
  item.state = 'sending';
  while (item.state === 'sending') {
    const isNew = item.address === null;
    const answer = await step(item, endpoint, sender);
    if (item.state !== 'sending') return;
    const { status } = answer;
    if (status > 0 && answer.getResponseHeader('Posthouse-File-Id') !== null) {
      item.state = 'sent';
      item.show(texts.arrivedFile, item.file.size);
    } else if (status >= 200 && status < 300) {
      item.failures = 0;
      item.show('', item.offset ?? 0);
    } else if (!MAY_PASS.has(status) || (isNew && (status === 404 || status === 410))) {
      item.state = 'refused';
      item.show(detailOf(answer));
    } else {
      item.show(status === 429 ? texts.waiting : texts.connectionLost);
      const pause = RETRY_MS[Math.min(item.failures++, RETRY_MS.length - 1)] ?? 0;
      await sleep(Math.max(pause, 1000 * Number(answer.getResponseHeader('Retry-After') ?? 0)));
    }
  }
  sessionStorage.removeItem(keyOf(item.file));
}

function detailOf({ responseText, status }: XMLHttpRequest): string {
  try {
    const { title, detail } = JSON.parse(responseText);
    // Only the title is translated.
    return LANGUAGE === 'en' ? detail : title;
  } catch {
    return texts.refused(status);
  }
}

/** Returns the files of a drop, also those in dropped folders. */
async function droppedFiles({ items, files }: DataTransfer): Promise<File[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry());
  if (!entries.some((entry) => entry?.isDirectory)) return [...files];
  const found: File[] = [];
  async function add(entry: FileSystemEntry | null): Promise<void> {
    if (entry?.isFile) {
      const { promise, resolve, reject } = Promise.withResolvers<File>();
      (entry as FileSystemFileEntry).file(resolve, reject);
      found.push(await promise);
    } else if (entry?.isDirectory) {
      const reader = (entry as FileSystemDirectoryEntry).createReader();
      for (let more = [entry]; more.length > 0; ) {
        const { promise, resolve, reject } = Promise.withResolvers<FileSystemEntry[]>();
        reader.readEntries(resolve, reject);
        more = await promise;
        for (const child of more) await add(child);
      }
    }
  }
  for (const entry of entries) await add(entry);
  return found;
}

function start(form: HTMLFormElement, input: HTMLInputElement, button: HTMLButtonElement): void {
  const items: Item[] = [];
  const endpoint = `${new URL(form.action).pathname.replace(/files$/, 'uploads')}`;
  const list = create('ul', { className: 'files sending', ariaLabel: texts.toSend, hidden: true });
  const total = create('p', { className: 'muted' });
  const outcome = create('p', { className: 'outcome', role: 'status' });
  const choose = create('label', { className: 'button quiet', htmlFor: input.id }, texts.choose);
  const hint = create('p', { className: 'muted' }, texts.drop);
  input.classList.add('unseen');
  input.after(create('div', { className: 'drop' }, choose, hint), list);
  button.before(total);
  button.after(outcome);
  let isStarted = false;

  function addRow(file: File): Item {
    const state = create('span', { className: 'muted' });
    const bar = create('progress', { max: Math.max(1, file.size), value: 0, ariaLabel: file.name });
    const label = texts.remove(file.name);
    const remove = create(
      'button',
      { type: 'button', className: 'quiet', ariaLabel: label, title: label },
      '✕',
    );
    const row = create(
      'li',
      {},
      create('div', { className: 'about' }, create('span', {}, file.name), state, bar),
      remove,
    );
    const item: Item = {
      file,
      state: 'waiting',
      address: sessionStorage.getItem(keyOf(file)) || null,
      offset: null,
      failures: 0,
      request: null,
      show(text, offset) {
        if (offset !== undefined) bar.value = file.size === 0 ? 1 : Math.min(offset, file.size);
        const size = readableSize(file.size);
        const isUnderWay = text === '' && offset !== undefined;
        const sent = readableSize(Math.min(offset ?? 0, file.size));
        state.textContent = [isUnderWay ? texts.sizeOf(sent, size) : size, text].filter(Boolean).join(' · ');
        row.className = item.state;
        remove.hidden = item.state === 'sent';
        bar.hidden = item.state !== 'sending';
      },
    };
    remove.addEventListener('click', () => {
      items.splice(items.indexOf(item), 1);
      row.remove();
      item.state = 'refused';
      item.request?.abort();
      if (item.address) void request(item, 'DELETE', item.address, {});
      sessionStorage.removeItem(keyOf(file));
      showTotal();
    });
    item.show('');
    list.append(row);
    return item;
  }

  const countOf = (...states: Item['state'][]) => items.filter(({ state }) => states.includes(state)).length;

  function showTotal(): void {
    const open = countOf('waiting', 'sending');
    const arrived = countOf('sent');
    list.hidden = items.length === 0;
    input.required = items.length === 0;
    button.textContent = open > 0 && !isStarted ? texts.send(texts.files(open)) : texts.sendFiles;
    button.disabled = open > 0 && isStarted;
    total.textContent = isStarted && open > 0 ? texts.arrivedOf(arrived, texts.files(items.length)) : '';
    const isOver = open === 0 && arrived > 0;
    if (!isOver) outcome.textContent = '';
    else if (arrived === items.length) outcome.textContent = texts.thanks(texts.files(arrived));
    else outcome.textContent = `${texts.arrivedOf(arrived, texts.files(items.length))}.`;
    if (isOver && form.dataset.shown !== undefined)
      outcome.append(' ', create('a', { href: location.pathname }, texts.show));
    if (open === 0) isStarted = false;
  }

  function sendNext(): void {
    const sender = form.querySelector<HTMLInputElement>('[name=uploaderName]')?.value ?? '';
    for (const item of items) {
      if (!isStarted || countOf('sending') >= AT_ONCE) break;
      if (item.state !== 'waiting') continue;
      void send(item, endpoint, sender).then(() => {
        sendNext();
        showTotal();
      });
    }
  }

  function add(files: readonly File[]): void {
    items.push(...files.map(addRow));
    sendNext();
    showTotal();
  }

  input.addEventListener('change', () => {
    add([...(input.files ?? [])]);
    input.value = '';
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    isStarted = true;
    sendNext();
    showTotal();
  });
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    form.classList.add('over');
  });
  document.addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) form.classList.remove('over');
  });
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    form.classList.remove('over');
    if (event.dataTransfer) void droppedFiles(event.dataTransfer).then(add);
  });
  addEventListener('beforeunload', (event) => {
    if (countOf('sending') > 0) event.preventDefault();
  });
}

const sendForm = document.querySelector<HTMLFormElement>('form.send');
const chosen = sendForm?.querySelector<HTMLInputElement>('[type=file]');
const submit = sendForm?.querySelector<HTMLButtonElement>('[type=submit]');
if (sendForm && chosen && submit) start(sendForm, chosen, submit);

export {};
