import type { PageProps } from '../../app/Pages.tsx';
import { Page } from '../../parts/Page.tsx';

export function TrashPage({ me }: PageProps) {
  return <Page title="Trash">{me.name}</Page>;
}
