import { type LooseKeys, useForm } from '@mantine/form';
import { PosthouseError } from '../../client/index.ts';
import { notifyError } from './notify.tsx';

/**
 * A form that is saved through the HTTP API. A server error that names a field is shown at that field, every other
 * error as a notification. `Values` has the shape of the request body, so that error paths match field paths.
 * @param explain returns the messages to show at fields in place of those of a server error; null = those
 */
export function useApiForm<Values extends object>(
  initialValues: Values,
  save: (values: Values) => Promise<unknown>,
  explain: (error: PosthouseError) => Record<string, string> | null = () => null,
) {
  const form = useForm<Values>({
    mode: 'controlled',
    initialValues,
    enhanceGetInputProps: ({ field }) => ({ name: field }),
  });
  const submit = form.onSubmit(async (values, event) => {
    // React bubbles the submit event of a dialog to the form that contains the dialog component.
    event?.stopPropagation();
    try {
      await save(values);
    } catch (error) {
      const errors = error instanceof PosthouseError && (explain(error) ?? fieldErrors(error, values));
      if (errors) form.setErrors(errors);
      else notifyError(error as Error);
    }
  });
  return {
    ...form,
    submit,
    /** Properties of an input with its label. */
    field: (path: LooseKeys<Values>, label: string, description?: string) => ({
      label,
      description,
      ...form.getInputProps(path),
    }),
    checkbox: (path: LooseKeys<Values>, label: string, description?: string) => ({
      label,
      description,
      ...form.getInputProps(path, { type: 'checkbox' }),
    }),
  };
}

/** Assigns each error to the field with the longest matching path: `contactTo.0` belongs to `contactTo`. */
function fieldErrors(error: PosthouseError, values: object): Record<string, string> | null {
  const errors = error.errors.flatMap(({ path, message }) => {
    const field = fieldOf(path.split('.'), values);
    return field === '' ? [] : [[field, message] as const];
  });
  return errors.length > 0 ? Object.fromEntries(errors) : null;
}

function fieldOf(path: readonly string[], values: unknown): string {
  const [first, ...rest] = path;
  if (first === undefined || typeof values !== 'object' || values === null || Array.isArray(values))
    return '';
  const name = Object.keys(values).find((key) => key.toLowerCase() === first.toLowerCase());
  if (name === undefined) return '';
  const inner = fieldOf(rest, (values as Record<string, unknown>)[name]);
  return inner === '' ? name : `${name}.${inner}`;
}
