import { type ComponentType, lazy, useState } from 'react';

/**
 * A page whose scripts are loaded when it is first shown, or by `preload` before. A page that is loaded is shown at
 * once, while React keeps the fallback of a `lazy` one for 0.3 s.
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
