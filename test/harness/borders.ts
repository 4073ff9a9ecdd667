import type { Page } from 'playwright-core';

/** The border of a field or an unchecked checkbox. */
interface Border {
  /** Type of the control. */
  kind: string;
  /** Contrast to the surface around it (WCAG 2.2, 1.4.11). */
  contrast: number;
}

/** Returns the borders of the enabled controls of a page that are displayed. */
export const bordersOn = (page: Page) => page.evaluate<Border[]>(BORDERS);

const BORDERS = `(() => {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const luminance = (colors) => {
    for (const color of colors) {
      context.fillStyle = color;
      context.fillRect(0, 0, 1, 1);
    }
    const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  /** Backgrounds from the page inwards. */
  const behind = (element) =>
    element ? [...behind(element.parentElement), getComputedStyle(element).backgroundColor] : ['Canvas'];
  /** The element with the border: of some fields, one around it. */
  const bordered = (element) =>
    getComputedStyle(element).borderTopWidth === '0px' ? bordered(element.parentElement) : element;
  const controls = 'input:not([type=radio], [type=file]), select, textarea';
  return [...document.querySelectorAll(controls)]
    .filter((control) => control.checkVisibility() && !control.disabled && !control.checked && !control.indeterminate)
    .map((control) => {
      const element = bordered(control);
      const around = behind(element.parentElement);
      const [outside, border] = [luminance(around), luminance([...around, getComputedStyle(element).borderTopColor])];
      const contrast = (Math.max(outside, border) + 0.05) / (Math.min(outside, border) + 0.05);
      return { kind: control.type, contrast };
    });
})()`;
