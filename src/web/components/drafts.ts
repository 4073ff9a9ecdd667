/** Key in `sessionStorage` of the only draft of this tab. */
const KEY = 'posthouse-draft';

/** The unsaved input of a form, kept while the person signs in again. */
interface Draft {
  accountId: string | undefined;
  form: string;
  values: unknown;
}

export const keepDraft = (draft: Draft) => sessionStorage.setItem(KEY, JSON.stringify(draft));

export const hasDraft = () => sessionStorage.getItem(KEY) !== null;

export const removeDraft = () => sessionStorage.removeItem(KEY);

/** Returns the input of a form and removes its draft; null = there is none. */
export function takeDraft({ accountId, form }: Omit<Draft, 'values'>): unknown {
  const draft = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Draft | null;
  if (draft === null || draft.accountId !== accountId || draft.form !== form) return null;
  removeDraft();
  return draft.values;
}
