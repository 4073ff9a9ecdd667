import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { SIGNED_OUT } from '../api/posthouse.ts';
import { useMe } from '../api/session.ts';
import { keepDraft, takeDraft } from './drafts.ts';

interface DraftForm<Values> {
  isDirty(): boolean;
  getValues(): Values;
  setValues(values: Values): void;
}

/**
 * Keeps the unsaved input of a form when the session ends, and restores it when the same person opens the form again in
 * this tab.
 * @param name identifies the form among all forms
 * @param withoutSecrets removes the values that must not be stored in the browser
 */
export function useDraft<Values>(
  name: string,
  form: DraftForm<Values>,
  withoutSecrets = (values: Values) => values,
): void {
  const [key] = useState({ accountId: useMe().data?.id, form: name });
  const { setValues } = form;
  useWindowEvent(SIGNED_OUT, () => {
    if (form.isDirty()) keepDraft({ ...key, values: withoutSecrets(form.getValues()) });
  });
  useEffect(() => {
    const values = takeDraft(key);
    if (values !== null) setValues(values as Values);
  }, [key, setValues]);
}
