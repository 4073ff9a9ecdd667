import { useEffect, useState } from 'react';
import type { AroundNavHandler } from 'wouter';
import { texts } from './texts.ts';

/** The forms with unsaved changes. */
const unsaved = new Set<symbol>();
/** For each open dialog, the forms that had unsaved changes when it opened. The topmost dialog is the last. */
const open: ReadonlySet<symbol>[] = [];

/**
 * Asks for confirmation before a page or dialog with unsaved changes in a form is closed, or left by a link.
 */
export function useUnsaved(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const form = Symbol('form');
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    unsaved.add(form);
    addEventListener('beforeunload', ask);
    return () => {
      unsaved.delete(form);
      removeEventListener('beforeunload', ask);
    };
  }, [isDirty]);
}

/** Returns a function that closes a dialog, unless the person chooses to keep unsaved changes that were made in it. */
export function useSafeClose(close: () => void): () => void {
  const [before] = useState(() => new Set(unsaved));
  useEffect(() => {
    open.push(before);
    // Later, because the event that closes this dialog may reach the one below it too.
    return () => void setTimeout(() => open.splice(open.indexOf(before), 1));
  }, [before]);
  return () => {
    // Mantine passes Escape to every open dialog.
    if (open.at(-1) !== before) return;
    const isDirty = [...unsaved].some((form) => !before.has(form));
    if (!isDirty || confirm(texts.discardChanges)) close();
  };
}

/**
 * Navigates, unless the person chooses to keep unsaved changes. Does not ask within a page, nor when the app itself
 * replaces the address.
 */
export const navigateSafely: AroundNavHandler = (navigate, to, options) => {
  const isSamePage = new URL(to.toString(), location.href).pathname === location.pathname;
  if (isSamePage || options?.replace || unsaved.size === 0 || confirm(texts.discardChanges))
    navigate(to, options);
};
