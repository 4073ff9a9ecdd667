import type { Page } from 'playwright-core';

/** A small phone, and most of the others, in CSS pixels. */
const NARROW = [320, 390];

/** Returns the elements of the open page that scroll sideways or exceed the edge at the widths of phones. */
export async function overflowsOn(page: Page, widths = NARROW): Promise<string[]> {
  const faults: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 780 });
    const found: string[] = [];
    for (const script of [SETTLED, CUT, PLACEHOLDERS]) found.push(...(await page.evaluate<string[]>(script)));
    faults.push(...found.map((fault) => `${width} pixels: ${fault}`));
  }
  return faults;
}

/** Returns the visible controls of the open page that are smaller than the targets of WCAG 2.2, 2.5.5. */
export async function smallTargetsOn(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(SMALL);
}

/** Leaves out links in text, checkboxes and names: they are smaller, but their labels and cells are targets too. */
const SMALL = `[...document.querySelectorAll(
  'button:not(.entry-name, [tabindex="-1"]), .button, select, [role=menuitem], [role=tab], nav a, input:not([type=checkbox], [type=radio], [type=file])'
)].flatMap((element) => {
  const { width, height, right } = element.getBoundingClientRect();
  const isShown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && width > 1 && right > 0;
  return isShown && (width < 43.5 || height < 43.5)
    ? [element.tagName + ' ' + element.className + ' ' + (element.getAttribute('aria-label') ?? element.textContent) + ' ' + width + '×' + height]
    : [];
})`;

/** Code and tables of the documentation scroll in their own boxes. */
const WIDE = `(() => {
  const root = document.scrollingElement;
  const name = (element) =>
    element.tagName.toLowerCase() + '.' + element.className + ' ' + (element.getAttribute('aria-label') ?? element.textContent).slice(0, 40);
  const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
  const isInside = (element) => {
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement)
      if (scrolls(at) && at.scrollWidth > at.clientWidth + 1) return true;
    return false;
  };
  const isBeyond = (element) => {
    const { left, right, width, height } = element.getBoundingClientRect();
    const isCut = (right > root.clientWidth + 1 && left < root.clientWidth) || (left < -1 && right > 0);
    return isCut && width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true });
  };
  const faults = root.scrollWidth > root.clientWidth ? ['the page scrolls sideways'] : [];
  const controls = document.querySelectorAll('button, a, input:not([type=file]), select, textarea, h1, h2');
  for (const element of controls)
    if (isBeyond(element) && !isInside(element)) faults.push('beyond the edge: ' + name(element));
  for (const element of document.querySelectorAll('[role=dialog], [role=dialog] *'))
    if (scrolls(element) && element.scrollWidth > element.clientWidth + 1 && !element.matches('pre, pre *, textarea, .rows-table, .text-table, .markdown-table'))
      faults.push('scrolls sideways: ' + name(element));
  return faults;
})`;

/** The faults that remain after some frames: open menus follow a change of the window late. */
const SETTLED = `(async () => {
  let faults = (${WIDE})();
  for (let frame = 0; faults.length > 0 && frame < 60; frame++) {
    await new Promise(requestAnimationFrame);
    faults = (${WIDE})();
  }
  return faults;
})()`;

/**
 * Texts and icons that a part of the page cuts off, unless its text ends with an ellipsis or it scrolls. Leaves out
 * texts for screen readers, which are one pixel large.
 */
const CUT = `(() => {
  const shown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const boxesOf = (element) => {
    if (element.matches('svg, img')) return [element.getBoundingClientRect()];
    return [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim()).flatMap((node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return [...range.getClientRects()];
    });
  };
  const cutBy = (element, box) => {
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      const { overflowX, textOverflow, position } = getComputedStyle(at);
      const { left, right, width, height } = at.getBoundingClientRect();
      if (/auto|scroll/.test(overflowX) || width <= 1 || height <= 1) return null;
      if (/hidden|clip/.test(overflowX) && (box.right > right + 1.5 || box.left < left - 1.5))
        return textOverflow === 'ellipsis' ? null : at;
      if (position === 'fixed') return null;
    }
    return null;
  };
  return [...document.body.querySelectorAll('*')].flatMap((element) => {
    if (!shown(element) || element.closest('[aria-hidden=true]:not(svg), .mantine-Skeleton-root')) return [];
    for (const box of boxesOf(element)) {
      const by = box.width > 1 && cutBy(element, box);
      if (by) return ['cut off by ' + by.tagName + '.' + (by.getAttribute('class') ?? '') + ': ' + (element.textContent || element.outerHTML).slice(0, 40)];
    }
    return [];
  });
})()`;

/** Placeholders that their field cuts off without an ellipsis. */
const PLACEHOLDERS = `[...document.querySelectorAll('input:placeholder-shown')].flatMap((input) => {
  const { font, paddingLeft, paddingRight, textOverflow } = getComputedStyle(input);
  const context = document.createElement('canvas').getContext('2d');
  context.font = font;
  const room = input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  const { width } = context.measureText(input.placeholder);
  const ends = textOverflow === 'ellipsis' && input !== document.activeElement;
  const isCut = input.checkVisibility() && width > room && !ends;
  return isCut ? ['placeholder cut off: ' + input.placeholder] : [];
})`;
