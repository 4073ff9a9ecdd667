import { isDamaged } from '../../../../../picture/is-damaged.ts';
import { create } from '../elements.ts';
import { texts } from './texts.ts';

/*
 * Shows the pictures of the page one at a time, over the whole window: with keys, swipes, or as a slide show. It runs
 * in browsers; without it, pictures open as files. Pictures that the server could not render are in the list of files.
 */

const SLIDE_MS = 4000;
const SWIPE_PX = 40;
/** Paths of icons of 24 pixels a side, drawn with lines. */
const ICONS = {
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M8 5v14M16 5v14',
  download: 'M12 4v11m-5-5 5 5 5-5M4 20h16',
  close: 'm5 5 14 14M19 5 5 19',
  back: 'm15 5-7 7 7 7',
  next: 'm9 5 7 7-7 7',
};
/** A new picture may have no thumbnail yet. */
const RETRY_MS = 3000;
const RETRIES = 5;

const links = [...document.querySelectorAll<HTMLAnchorElement>('.gallery a, .files a[data-view]')];
/** Number of links to pictures with a thumbnail, which are the first of these. */
const drawn = document.querySelectorAll('.gallery a').length;

/** Returns the address of the bytes that the viewer shows. */
const viewOf = (link: HTMLAnchorElement) => link.dataset.view ?? link.href;

const iconOf = (name: keyof typeof ICONS) =>
  `<svg width="22" height="22" viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}" fill="none"
stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

const button = (label: string, icon: keyof typeof ICONS, className = '') =>
  create('button', { type: 'button', ariaLabel: label, title: label, className, innerHTML: iconOf(icon) });

/** Adds the closed dialog of the viewer to the page. */
function addDialog() {
  const counter = create('span', {});
  const picture = create('img', { alt: '', draggable: false });
  const failure = create('p', { className: 'failure', hidden: true, role: 'status' });
  const caption = create('figcaption', { ariaLive: 'polite' });
  const download = create('a', {
    className: 'button',
    ariaLabel: texts.download,
    title: texts.download,
    innerHTML: iconOf('download'),
  });
  const play = button(texts.slideShow, 'play');
  const close = button(texts.close, 'close');
  const back = button(texts.previous, 'back', 'step back');
  const next = button(texts.next, 'next', 'step next');
  const stage = create('div', { className: 'stage' }, picture, failure, back, next);
  const tools = create('div', { className: 'tools' }, counter, play, download, close);
  const dialog = create(
    'dialog',
    { className: 'viewer', ariaLabel: texts.pictures },
    create('figure', {}, tools, stage, caption),
  );
  document.body.append(dialog);
  return { dialog, counter, picture, failure, caption, download, play, close, back, next, stage };
}

/** Shows one slide after another until it is stopped. @param play the button that starts and stops it */
function createSlideShow(play: HTMLElement, showNext: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;

  function advance(): void {
    timer = setTimeout(() => {
      showNext();
      advance();
    }, SLIDE_MS);
  }

  function stop(): void {
    clearTimeout(timer);
    timer = undefined;
    play.innerHTML = iconOf('play');
    play.ariaPressed = 'false';
  }

  function toggle(): void {
    if (timer !== undefined) {
      stop();
      return;
    }
    play.innerHTML = iconOf('pause');
    play.ariaPressed = 'true';
    advance();
  }

  stop();
  play.addEventListener('click', toggle);
  return { stop, toggle };
}

/** Returns a function that shows the picture of a link, first its thumbnail, and returns its name. */
function createFrame(picture: HTMLImageElement, failure: HTMLElement) {
  let shown: HTMLAnchorElement;

  /** Shows a picture in place of the one before, or of the notice; null = it has no thumbnail. */
  function draw(address: string | null): void {
    failure.hidden = true;
    failure.textContent = '';
    picture.hidden = address === null;
    if (address !== null) picture.src = address;
  }

  /** Replaces the thumbnail by the whole picture, or by a notice when neither can be shown. */
  function load(link: HTMLAnchorElement, thumbnail: string | null): void {
    const whole = create('img', {});
    const finish = (isShown: boolean) => {
      if (shown !== link) return;
      if (isShown) return draw(whole.src);
      picture.hidden = true;
      failure.hidden = false;
      failure.textContent = texts.failedPicture;
    };
    whole.addEventListener('load', async () => finish(!(await isDamaged(whole, thumbnail))));
    whole.addEventListener('error', () => {
      const hasThumbnail = !picture.hidden && picture.naturalWidth > 0;
      if (!hasThumbnail) finish(false);
    });
    whole.src = viewOf(link);
  }

  return (link: HTMLAnchorElement): string => {
    shown = link;
    const thumbnail = link.querySelector('img');
    const name = thumbnail?.alt ?? link.textContent;
    draw(thumbnail?.src ?? null);
    picture.alt = name;
    load(link, thumbnail?.src ?? null);
    return name;
  };
}

function startViewer(): void {
  const { dialog, counter, picture, failure, caption, download, play, close, back, next, stage } =
    addDialog();
  const showPicture = createFrame(picture, failure);
  let current = 0;
  /** Whether the viewer has added an entry to the history, so that the back button of a phone closes it. */
  let hasEntry = false;

  function show(index: number): void {
    current = (index + links.length) % links.length;
    const link = links[current];
    if (!link) return;
    const name = showPicture(link);
    const following = links[(current + 1) % links.length];
    if (following) create('img', { src: viewOf(following) });
    caption.replaceChildren(create('bdi', {}, name));
    counter.textContent = texts.numberOf(current + 1, links.length);
    download.href = link.dataset.file ?? link.href;
    download.download = name;
    history.replaceState(null, '', `#${link.dataset.id}`);
  }

  function open(index: number): void {
    history.pushState(null, '', `#${links[index]?.dataset.id}`);
    hasEntry = true;
    dialog.showModal();
    show(index);
  }

  function step(by: number): void {
    slides.stop();
    show(current + by);
  }

  const slides = createSlideShow(play, () => show(current + 1 < drawn ? current + 1 : 0));
  for (const [index, link] of links.entries()) {
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      open(index);
    });
  }
  close.addEventListener('click', () => dialog.close());
  back.addEventListener('click', () => step(-1));
  next.addEventListener('click', () => step(1));
  dialog.addEventListener('keydown', (event) => {
    const isOnControl = event.target instanceof Element && event.target.closest('button, a') !== null;
    const action = {
      ArrowLeft: () => step(-1),
      ArrowRight: () => step(1),
      Home: () => step(-current),
      End: () => step(links.length - 1 - current),
      ' ': isOnControl ? undefined : slides.toggle,
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  dialog.addEventListener('close', () => {
    slides.stop();
    if (hasEntry) history.back();
    else history.replaceState(null, '', location.pathname + location.search);
    hasEntry = false;
    links[current]?.focus();
  });
  addEventListener('popstate', () => {
    if (!dialog.open) return;
    hasEntry = false;
    dialog.close();
  });
  addSwipes(stage, step);
  if (drawn > 0)
    addSlideShowButton(() => {
      open(0);
      slides.toggle();
    });
  const linked = links.findIndex(({ dataset }) => `#${dataset.id}` === location.hash);
  if (linked < 0) return;
  dialog.showModal();
  show(linked);
}

function addSwipes(stage: HTMLElement, step: (by: number) => void): void {
  let begin: { x: number; y: number } | undefined;
  stage.addEventListener('pointerdown', ({ isPrimary, clientX: x, clientY: y }) => {
    begin = isPrimary ? { x, y } : undefined;
  });
  stage.addEventListener('pointercancel', () => {
    begin = undefined;
  });
  stage.addEventListener('pointerup', ({ clientX, clientY }) => {
    if (!begin) return;
    const [across, along] = [clientX - begin.x, clientY - begin.y];
    begin = undefined;
    if (Math.abs(across) < SWIPE_PX || Math.abs(across) < 2 * Math.abs(along)) return;
    step(across < 0 ? 1 : -1);
  });
}

function addSlideShowButton(start: () => void): void {
  const added = create('button', { type: 'button', className: 'quiet' }, texts.slideShow);
  added.addEventListener('click', start);
  document.querySelector('.bar .button')?.after(added);
}

function retryThumbnails(): void {
  for (const image of document.querySelectorAll<HTMLImageElement>('.gallery img')) {
    let tries = 0;
    const retry = () => {
      if (tries++ >= RETRIES) return;
      setTimeout(() => {
        image.src = `${image.src.split('?', 1)[0]}?try=${tries}`;
      }, RETRY_MS * tries);
    };
    image.addEventListener('error', retry);
    // It may have failed before this script ran.
    if (image.complete && image.naturalWidth === 0 && image.src !== '') retry();
  }
}

if (links.length > 0) {
  retryThumbnails();
  startViewer();
}
