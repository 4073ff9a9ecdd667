import { outcomeOf } from '../../outcome.ts';
import { create } from '../elements.ts';
import { droppedFiles } from './dropped-files.ts';
import { createRow } from './row.ts';
import { LANGUAGE, texts } from './texts.ts';
import { cancel, type Item, send } from './upload.ts';

/*
 * Sends the files of the form of a link one by one, with their progress, and continues after a broken connection
 * (tus 1.0.0, https://tus.io/protocols/resumable-upload). It runs in browsers; without it, the form sends all files.
 */

const AT_ONCE = 3;

interface Form {
  form: HTMLFormElement;
  input: HTMLInputElement;
  button: HTMLButtonElement;
}

function start({ form, input, button }: Form): void {
  const items: Item[] = [];
  const endpoint = new URL(form.action).pathname.replace(/files$/, 'uploads');
  const list = create('ul', { className: 'files sending', ariaLabel: texts.toSend, hidden: true });
  const summary = addSummary(form, button);
  addChoice(input, list);
  let isStarted = false;

  const countOf = (...states: Item['state'][]) => items.filter(({ state }) => states.includes(state)).length;

  function showTotal(): void {
    const open = countOf('waiting', 'sending');
    list.hidden = items.length === 0;
    input.required = items.length === 0;
    button.textContent = open > 0 && !isStarted ? texts.send(texts.files(open)) : texts.sendFiles;
    button.disabled = open > 0 && isStarted;
    summary.show({ all: items.length, open, arrived: countOf('sent'), isStarted });
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

  function remove(item: Item): void {
    items.splice(items.indexOf(item), 1);
    cancel(item);
    showTotal();
  }

  function add(files: readonly File[]): void {
    for (const file of files) {
      const { row, item } = createRow(file, remove);
      list.append(row);
      items.push(item);
    }
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
  acceptDrops(form, add);
  addEventListener('beforeunload', (event) => {
    if (countOf('sending') > 0) event.preventDefault();
  });
}

/** Replaces the browser's field for files with a button, a hint and the list of the files. */
function addChoice(input: HTMLInputElement, list: HTMLElement): void {
  const choose = create('label', { className: 'button quiet', htmlFor: input.id }, texts.choose);
  const hint = create('p', { className: 'muted' }, texts.drop);
  input.classList.add('unseen');
  input.after(create('div', { className: 'drop' }, choose, hint), list);
}

interface Counts {
  all: number;
  open: number;
  arrived: number;
  isStarted: boolean;
}

/** Adds the number of files that have arrived, and the outcome at the end. */
function addSummary(form: HTMLFormElement, button: HTMLElement): { show(counts: Counts): void } {
  const total = create('p', { className: 'muted' });
  const outcome = create('p', { className: 'outcome', role: 'status' });
  button.before(total);
  button.after(outcome);
  return {
    show({ all, open, arrived, isStarted }) {
      total.textContent = isStarted && open > 0 ? texts.sending(arrived, all) : '';
      outcome.textContent = '';
      if (open > 0 || all === 0) return;
      const sentence = outcomeOf(LANGUAGE, { all, arrived });
      outcome.textContent = arrived === all ? `${texts.thanks} ${sentence}` : sentence;
      if (arrived === 0) return;
      if (form.dataset.shown !== undefined)
        outcome.append(' ', create('a', { href: location.pathname }, texts.show));
    },
  };
}

function acceptDrops(form: HTMLFormElement, add: (files: readonly File[]) => void): void {
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
}

const form = document.querySelector<HTMLFormElement>('form.send');
const input = form?.querySelector<HTMLInputElement>('[type=file]');
const button = form?.querySelector<HTMLButtonElement>('[type=submit]');
if (form && input && button) start({ form, input, button });
