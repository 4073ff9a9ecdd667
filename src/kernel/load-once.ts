/**
 * Returns a function that calls `load` once, and again after a failure: the cause may have been temporary, such as
 * exhausted descriptors.
 */
export function loadOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  return () => {
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
