import { type ChangeEvent, type FormEvent, useState } from 'react';
import { ApiError } from '../api/http.ts';
import { tellError } from './tell.tsx';

type TextInputElement = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type NamesOf<Values, Kind> = { [Name in keyof Values]: Values[Name] extends Kind ? Name : never }[keyof Values] & string;

/** The fields of a form; what the server says is wrong with one stands at that field. */
export function useFields<Values extends Record<string, unknown>>(initial: Values) {
  const [values, setValues] = useState(initial);
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const set = <Name extends keyof Values & string>(name: Name, value: Values[Name]) => {
    setValues((earlier) => ({ ...earlier, [name]: value }));
    setProblems(({ [name]: _, ...others }) => others);
  };

  return {
    values,
    set,
    busy,
    isChanged: Object.keys(initial).some((name) => values[name] !== initial[name]),
    reset: (to: Values = initial) => setValues(to),
    /** Properties of an input for text. */
    text: (name: NamesOf<Values, string>) => ({
      name,
      value: values[name] as string,
      error: problems[name],
      onChange: (event: ChangeEvent<TextInputElement>) => set(name, event.currentTarget.value as Values[typeof name]),
    }),
    /** Properties of a box or a switch. */
    box: (name: NamesOf<Values, boolean>) => ({
      name,
      checked: values[name] as boolean,
      onChange: (event: ChangeEvent<HTMLInputElement>) => set(name, event.currentTarget.checked as Values[typeof name]),
    }),
    /** Properties of an input whose `onChange` gives the value itself. */
    value: <Name extends keyof Values & string>(name: Name) => ({
      name,
      value: values[name],
      error: problems[name],
      onChange: (value: Values[Name]) => set(name, value),
    }),
    /** For a form's `onSubmit`. Problems of fields are shown there, all others at the edge of the screen. */
    submit: (work: (values: Values) => Promise<unknown>) => async (event: FormEvent) => {
      event.preventDefault();
      // A dialog's form lies, for React, within the form below the dialog.
      event.stopPropagation();
      setBusy(true);
      try {
        await work(values);
      } catch (error) {
        const named = error instanceof ApiError ? error.errors.filter(({ path }) => fieldOf(path, initial) !== null) : [];
        setProblems(Object.fromEntries(named.map(({ path, message }) => [fieldOf(path, initial) ?? path, message])));
        if (named.length === 0) tellError(error as Error);
      } finally {
        setBusy(false);
      }
    },
  };
}

/** The field that an error's path belongs to: `contactTo.0` is `contactTo`, `smtp.credentials.password` is `smtpPassword`. */
function fieldOf(path: string, fields: Record<string, unknown>): string | null {
  const [first = '', ...rest] = path.toLowerCase().split('.');
  const candidates = [[first, ...rest].join(''), `${first}${rest.at(-1) ?? ''}`, first];
  return Object.keys(fields).find((name) => candidates.includes(name.toLowerCase())) ?? null;
}
