import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { Nothing } from '../parts/Nothing.tsx';
import { common } from '../texts/common.ts';

const RELOADED = 'posthouse-reloaded';

/** Catches what a page throws while it draws. React offers this to classes alone. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: Error) {
    // After an update of the server, a tab may ask for a part that is gone; the new page knows the new parts.
    const partMissing = /import|module|fetch/i.test(error.message);
    const lately = Number(sessionStorage.getItem(RELOADED) ?? 0) > Date.now() - 60_000;
    if (!partMissing || lately) return;
    sessionStorage.setItem(RELOADED, String(Date.now()));
    location.reload();
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Nothing title={common.error.title} text={common.error.page} whole="page">
        <Button onClick={() => location.reload()}>{common.error.reload}</Button>
      </Nothing>
    );
  }
}
