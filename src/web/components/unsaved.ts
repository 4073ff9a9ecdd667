import { useEffect } from 'react';
import type { AroundNavHandler } from 'wouter';
import { texts } from './texts.ts';

/** The forms with unsaved changes. */
const unsaved = new Set<symbol>();

/** Asks for confirmation before a page with unsaved changes in a form is left by a link or closed. */
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

/**
 * Navigates, unless the person chooses to keep unsaved changes. Does not ask within a page, nor when the app itself
 * replaces the address.
 */
export const navigateSafely: AroundNavHandler = (navigate, to, options) => {
  const isSamePage = new URL(to.toString(), location.href).pathname === location.pathname;
  if (isSamePage || options?.replace || unsaved.size === 0 || confirm(texts.discardChanges))
    navigate(to, options);
};
