import { isDamaged } from '../../../../picture/is-damaged.ts';

/*
 * Shows a notice instead of a picture or a recording that the browser cannot display. It runs in browsers.
 */

const media = document.querySelector<HTMLImageElement | HTMLMediaElement>('figure > :is(img, video, audio)');
const failureNotice = document.querySelector<HTMLElement>('figure > .notice');

if (media && failureNotice) {
  const fail = () => {
    failureNotice.hidden = false;
    media.remove();
  };
  media.addEventListener('error', fail);
  // It may have failed before this script ran.
  if (media instanceof HTMLMediaElement) {
    if (media.error) fail();
  } else {
    if (media.complete && media.naturalWidth === 0) {
      // An SVG without a size also has the width 0 in some browsers. Loaded again, only a damaged picture fires
      // `error`.
      media.src = media.currentSrc;
    }
    examine(media, fail);
  }
}

/** Calls `fail` when a picture is invisible. */
function examine(image: HTMLImageElement, fail: () => void): void {
  if (image.dataset.thumbnail === undefined) return;
  const { thumbnail } = image.dataset;
  const check = async () => {
    if (await isDamaged(image, thumbnail)) fail();
  };
  if (image.complete && image.naturalWidth > 0) void check();
  else image.addEventListener('load', check);
}
