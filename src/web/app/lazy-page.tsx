import { type ComponentType, lazy, useState } from 'react';

/**
 * A page whose scripts are loaded when it is first shown, or earlier by `preload`. A loaded page is shown immediately,
 * whereas React keeps the fallback of a `lazy` component for at least 0.3 s.
 */
export function lazyPage<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined;
  const preload = async () => {
    loaded = await load();
    return { default: loaded };
  };
  const Later = lazy(preload);
  function Page(props: Props) {
    const [Current] = useState(() => loaded ?? Later);
    return <Current {...props} />;
  }
  return Object.assign(Page, { preload });
}
