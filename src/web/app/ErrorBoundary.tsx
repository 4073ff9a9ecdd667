import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { EmptyState } from '../components/EmptyState.tsx';
import { texts as common } from '../texts.ts';
import { texts } from './texts.ts';

const RELOADED = 'posthouse-reloaded';

interface ErrorBoundaryProps {
  /** The address of the page: another one is shown after an error. */
  address: string;
  children: ReactNode;
}

/** Catches rendering errors of a page. React supports this only in classes. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: Error) {
    // After an update of the server, the scripts of an open tab may no longer exist. A reload loads the new ones.
    const scriptMissing = /import|module|fetch/i.test(error.message);
    const reloadedRecently = Number(sessionStorage.getItem(RELOADED) ?? 0) > Date.now() - 60_000;
    if (!scriptMissing || reloadedRecently) return;
    sessionStorage.setItem(RELOADED, String(Date.now()));
    location.reload();
  }

  override componentDidUpdate({ address }: ErrorBoundaryProps) {
    if (this.state.failed && address !== this.props.address) this.setState({ failed: false });
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <EmptyState title={common.somethingWrong} text={texts.failedText} whole="page">
        <Button onClick={() => location.reload()}>{texts.reload}</Button>
      </EmptyState>
    );
  }
}
