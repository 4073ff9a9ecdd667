/*
 * Shows all pages of a PDF file where the browser has no viewer for them, or the server could not render the first one.
 * It runs in browsers; without it, the page shows the picture of the first page, or a notice.
 */

const PDF_SCRIPT = '/assets/shared-pdf.js';

const failed = document.querySelector('.file .notice[data-pdf]');
const object = document.querySelector<HTMLObjectElement>('.file object');
const notice = object?.querySelector<HTMLElement>('.notice');

// A viewer would show a tall empty box for a damaged file.
if (failed) import(PDF_SCRIPT).catch(() => {});

// As in the web app: mobile browsers can report a viewer that shows the first page only.
if (object && notice && (!navigator.pdfViewerEnabled || matchMedia('(pointer: coarse)').matches)) {
  notice.hidden = true;
  import(PDF_SCRIPT).catch(() => {
    notice.hidden = false;
    // The element has the height of a viewer.
    if (!navigator.pdfViewerEnabled) object.replaceWith(...object.childNodes);
  });
}
