import { Center, Loader } from '@mantine/core';
import { Logo } from './Logo.tsx';
import { texts } from './texts.ts';

/** @param full fills the window, like the HTML from the server before the app starts (`build.ts`) */
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
