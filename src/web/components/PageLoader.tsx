import { Center, Loader } from '@mantine/core';
import { Logo } from './Logo.tsx';
import { texts } from './texts.ts';

/** @param full in place of the whole page, as the page of the server before the app has started (`build.ts`) */
export function PageLoader({ full = false }: { full?: boolean }) {
  return full ? (
    <div className="starting" role="status" aria-label={texts.loading}>
      <Logo named />
    </div>
  ) : (
    <Center mih={240} role="status" aria-label={texts.loading}>
      <Loader />
    </Center>
  );
}
