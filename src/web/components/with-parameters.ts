/** Returns a change that sets parameters of the address; '' removes one. */
export const withParameters = (values: Record<string, string>) => (before: URLSearchParams) => {
  const after = new URLSearchParams(before);
  for (const [name, value] of Object.entries(values)) {
    if (value === '') after.delete(name);
    else after.set(name, value);
  }
  return after;
};
