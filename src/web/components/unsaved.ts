import { useEffect } from 'react';
import type { AroundNavHandler } from 'wouter';
import { texts } from './texts.ts';

/** The forms with changes that are not saved. */
const unsaved = new Set<symbol>();

/** Asks before the page of a form is left by a link or closed while the form has changes that are not saved. */
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

/** Navigates unless that loses changes which the person wants to keep. The app itself replaces an address. */
export const navigateSafely: AroundNavHandler = (navigate, to, options) => {
  const isSamePage = new URL(to.toString(), location.href).pathname === location.pathname;
  if (isSamePage || options?.replace || unsaved.size === 0 || confirm(texts.discardChanges))
    navigate(to, options);
};
