import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueries } from './api/queries.ts';
import { App } from './app/App.tsx';
import { preloadPage } from './app/Pages.tsx';
import './styles/styles.css';
import { cssVariables, theme } from './theme.ts';

preloadPage(location.pathname);
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <QueryClientProvider client={createQueries()}>
          <Notifications position="bottom-center" limit={4} />
          <App />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
