import type { PageProps } from '../../app/Pages.tsx';
import { Page } from '../../parts/Page.tsx';

export function MailPage({ me }: PageProps) {
  return <Page title="Mail">{me.name}</Page>;
}
