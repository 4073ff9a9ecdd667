import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { createQueries } from './api/queries.ts';
import { App } from './app/App.tsx';
import { preloadPage } from './app/Pages.tsx';
import { prefetch } from './app/prefetch.ts';
import { navigateSafely } from './components/unsaved.ts';
import { recordFocus } from './return-focus.ts';
import './styles/styles.css';
import { cssVariables, theme } from './theme.ts';

void start();

/** Renders the app when the account and the page are loaded. Until then, the HTML from the server shows its name. */
async function start(): Promise<void> {
  const queries = createQueries();
  await Promise.all([preloadPage(location.pathname), prefetch(queries, location.pathname)]);
  const root = document.getElementById('root');
  if (!root) return;
  recordFocus();
  const app = (
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <QueryClientProvider client={queries}>
          <Notifications position="bottom-center" limit={4} />
          <Router aroundNav={navigateSafely}>
            <App />
          </Router>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  );
  // A transition leaves the browser time for other work.
  startTransition(() => createRoot(root).render(app));
}
