import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';

/**
 * A component whose scripts are loaded when it is first shown, or earlier by `preload`. A loaded one is shown
 * immediately, whereas React keeps the fallback of a `lazy` component for at least 0.3 s.
 * @param fallback shown while the scripts are loaded
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback?: ReactNode,
) {
  let loaded: ComponentType<Props> | undefined;
  const preload = async () => {
    loaded = await load();
    return { default: loaded };
  };
  const Later = lazy(preload);
  function Component(props: Props) {
    const [Current] = useState(() => loaded ?? Later);
    return (
      <Suspense fallback={fallback}>
        <Current {...props} />
      </Suspense>
    );
  }
  return Object.assign(Component, { preload });
}
