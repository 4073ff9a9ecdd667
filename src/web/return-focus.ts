/** An element that had the focus, and where it was, since a removed element has no parents. */
interface Place {
  element: HTMLElement;
  /** From the parent up to the container. */
  ancestors: readonly { parent: HTMLElement; index: number }[];
}

/** The last place in the page and in each open dialog, by container; the newest is the last one. */
const places = new Map<HTMLElement, Place>();

const MODAL = '[aria-modal=true]';
const CONTAINERS = `${MODAL}, main`;
/** Elements that have the focus for a moment only, and disappear with their menu. */
const TRANSIENT = '[role=menu], [role=menu] *, [aria-hidden=true]';
const TABBABLE = ['a[href]', 'button', 'input', 'select', 'textarea', '[tabindex]']
  .map((selector) => `${selector}:not(:disabled, [tabindex="-1"], [aria-hidden=true])`)
  .join();

/** Starts to record where the focus is. */
export function recordFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && !target.matches(TRANSIENT)) record(target);
  });
  document.addEventListener('click', focusClicked, { capture: true });
}

/**
 * Focuses a clicked button before it opens a menu or a dialog, which return the focus to it. Safari leaves the focus on
 * an ancestor: https://developer.mozilla.org/en-US/docs/Web/HTML/Reference/Elements/button#clicking_and_focus.
 */
function focusClicked({ target }: MouseEvent): void {
  const button = target instanceof Element ? target.closest('button') : null;
  const active = document.activeElement;
  if (button && button !== active && active?.contains(button)) button.focus({ preventScroll: true });
}

function record(element: HTMLElement): void {
  const container = element.closest<HTMLElement>(CONTAINERS) ?? document.body;
  const ancestors: { parent: HTMLElement; index: number }[] = [];
  for (let child = element; child !== container && child.parentElement; child = child.parentElement)
    ancestors.push({
      parent: child.parentElement,
      index: Array.prototype.indexOf.call(child.parentElement.children, child),
    });
  places.delete(container);
  places.set(container, { element, ancestors });
}

/**
 * The `ref` of every dialog. After the dialog is removed, focuses the element that had the focus before, or one near it
 * if that was removed or is disabled (WCAG 2.2, 2.4.3). Mantine does so only for dialogs that stay mounted.
 */
export function returnFocus() {
  const page = location.pathname;
  return () => {
    setTimeout(() => {
      // Another page sets its own focus.
      if (location.pathname === page) focusLast(page);
    });
  };
}

function focusLast(page: string): void {
  if (document.activeElement !== document.body) return;
  const modal = [...document.querySelectorAll<HTMLElement>(MODAL)].at(-1);
  for (const [container, place] of [...places].reverse()) {
    if (!container.isConnected) places.delete(container);
    else if (!modal || modal === container) {
      const target = isFocusable(place.element) ? place.element : findNear(place);
      if (!target) continue;
      target.focus({ preventScroll: true });
      whenRemoved(target, () => location.pathname === page && focusLast(page));
      return;
    }
  }
}

/** Returns the nearest focusable element: after the place, before it, or around it. */
function findNear({ ancestors }: Place): HTMLElement | undefined {
  for (const { parent, index } of ancestors) {
    if (!parent.isConnected) continue;
    // A grid holds the focus for its rows.
    if (parent.tabIndex >= 0) return parent;
    const children = [...parent.children];
    for (const child of [...children.slice(index), ...children.slice(0, index).reverse()]) {
      const found = [child, ...child.querySelectorAll(TABBABLE)].find(
        (element) => element.matches(TABBABLE) && isFocusable(element as HTMLElement),
      );
      if (found) return found as HTMLElement;
    }
    if (parent.matches(CONTAINERS)) return parent;
  }
  return undefined;
}

const isFocusable = (element: HTMLElement) =>
  element.isConnected && !element.matches(':disabled') && element.checkVisibility();

/** Calls a function if an element is removed before the focus moves: lists often reload after a dialog closes. */
function whenRemoved(element: HTMLElement, run: () => void): void {
  const observer = new MutationObserver(() => {
    if (element.isConnected) return;
    observer.disconnect();
    run();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener('focusin', () => observer.disconnect(), { once: true });
}
