import type { PageProps } from '../../app/Pages.tsx';
import { Page } from '../../parts/Page.tsx';

export function ChatPage({ me }: PageProps) {
  return <Page title="Chat">{me.name}</Page>;
}
