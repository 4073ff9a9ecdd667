import type { PageProps } from '../../app/Pages.tsx';
import { Page } from '../../parts/Page.tsx';

export function MessagesPage({ me }: PageProps) {
  return <Page title="Messages">{me.name}</Page>;
}
