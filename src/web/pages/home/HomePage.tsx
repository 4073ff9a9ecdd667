import type { PageProps } from '../../app/Pages.tsx';
import { Page } from '../../parts/Page.tsx';

export function HomePage({ me }: PageProps) {
  return <Page title="Home">{me.name}</Page>;
}
