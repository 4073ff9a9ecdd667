import { readableSize } from '../../../../../text/readable-size.ts';
import { shownName } from '../../../../../text/shown-name.ts';
import { create } from '../elements.ts';
import { LANGUAGE, texts } from './texts.ts';
import { begunUpload, type Item } from './upload.ts';

/** Creates the row of a file in the list, which shows its upload. */
export function createRow(file: File, remove: (item: Item) => void): { row: HTMLElement; item: Item } {
  const size = readableSize(file.size, LANGUAGE);
  const name = shownName(file.name);
  const state = create('span', { className: 'muted' });
  const bar = create('progress', { max: Math.max(1, file.size), value: 0, ariaLabel: name });
  const label = texts.remove(name);
  const cross = create('button', { type: 'button', className: 'quiet', ariaLabel: label, title: label }, '✕');
  const about = create('div', { className: 'about' }, create('bdi', {}, name), state, bar);
  const row = create('li', {}, about, cross);

  const item: Item = {
    file,
    state: 'waiting',
    address: begunUpload(file),
    offset: null,
    failures: 0,
    request: null,
    show(text, offset) {
      const sent = Math.min(offset ?? 0, file.size);
      if (offset !== undefined) bar.value = file.size === 0 ? 1 : sent;
      const isUnderWay = text === '' && offset !== undefined;
      const about = isUnderWay ? texts.sizeOf(readableSize(sent, LANGUAGE), size) : size;
      state.textContent = text === '' ? about : `${about} · ${text}`;
      row.className = item.state;
      cross.hidden = item.state === 'sent';
      bar.hidden = item.state !== 'sending';
    },
  };
  cross.addEventListener('click', () => {
    row.remove();
    remove(item);
  });
  item.show('');
  return { row, item };
}
