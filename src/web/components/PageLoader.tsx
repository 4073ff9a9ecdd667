import { Center, Loader } from '@mantine/core';
import { texts as common } from '../texts.ts';
import { Logo } from './Logo.tsx';

/** @param full fills the window, like the HTML from the server before the app starts (`build.ts`) */
export function PageLoader({ full = false }: { full?: boolean }) {
  return full ? (
    <div className="starting" role="status" aria-label={common.loading}>
      <Logo named />
    </div>
  ) : (
    <Center mih={240} role="status" aria-label={common.loading}>
      <Loader />
    </Center>
  );
}
