import { type LooseKeys, useForm } from '@mantine/form';
import { PosthouseError } from '../../client/index.ts';
import { notifyError } from './notify.tsx';

/**
 * A form that is saved through the HTTP API. A server error that names a field is shown at that field, every other
 * error as a notification. `Values` has the shape of the request body, so that error paths match field paths.
 * @param fieldOfCode the field to show an error at that names none, by error code
 */
export function useApiForm<Values extends object>(
  initialValues: Values,
  save: (values: Values) => Promise<unknown>,
  fieldOfCode: Partial<Record<string, keyof Values & string>> = {},
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
      const errors = fieldErrors(error, values) ?? errorByCode(error, fieldOfCode);
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
function fieldErrors(error: unknown, values: object): Record<string, string> | null {
  if (!(error instanceof PosthouseError)) return null;
  const errors = error.errors.flatMap(({ path, message }) => {
    const field = fieldOf(path.split('.'), values);
    return field === '' ? [] : [[field, message] as const];
  });
  return errors.length > 0 ? Object.fromEntries(errors) : null;
}

function errorByCode(
  error: unknown,
  fieldOfCode: Partial<Record<string, string>>,
): Record<string, string> | null {
  const field = error instanceof PosthouseError ? fieldOfCode[error.code] : undefined;
  return field === undefined ? null : { [field]: (error as Error).message };
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
