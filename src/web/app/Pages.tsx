import { Button } from '@mantine/core';
import type { ComponentType } from 'react';
import { Link, Redirect, Route, Switch } from 'wouter';
import type { Me } from '../api/session.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { lazyComponent } from '../components/lazy-component.tsx';
import { PageLoader } from '../components/PageLoader.tsx';
import { texts as common } from '../texts.ts';
import { texts } from './texts.ts';

/** Properties of every page. */
interface PageProps {
  me: Me;
}

// The bundler writes one script for each set of pages that share a module. Imported one by one, the pages need about
// fifty requests; imported in groups, half as many.
const storage = () => import('../pages/storage.ts');
const administration = () => import('../pages/administration.ts');
const page = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazyComponent(load, <PageLoader />);
const HomePage = page(async () => (await import('../pages/home/HomePage.tsx')).HomePage);
const FilesPage = page(async () => (await storage()).FilesPage);
const TrashPage = page(async () => (await storage()).TrashPage);
const SharedPage = page(async () => (await storage()).SharedPage);
const TimelinePage = page(async () => (await storage()).TimelinePage);
const SharePage = page(async () => (await storage()).SharePage);
const AccountPage = page(async () => (await import('../pages/account/AccountPage.tsx')).AccountPage);
const ADMIN_PAGES = [
  ['/admin/chat', page<PageProps>(async () => (await administration()).ChatPage)],
  ['/admin/mail', page<PageProps>(async () => (await administration()).MailPage)],
  ['/admin/messages', page<PageProps>(async () => (await administration()).MessagesPage)],
  ['/admin/people', page<PageProps>(async () => (await administration()).PeoplePage)],
  ['/admin/workspaces', page<PageProps>(async () => (await administration()).WorkspacesPage)],
] as const;

/** Pages by the start of their addresses, longer ones first. */
const PRELOADED = [
  ['/files/trash', TrashPage],
  ['/files/shared', SharedPage],
  ['/files', FilesPage],
  ['/timeline', TimelinePage],
  ...ADMIN_PAGES,
  ['/share', SharePage],
  ['/account', AccountPage],
  ['/', HomePage],
] as const;

/** Loads the scripts of the page of an address, so that it is shown immediately. */
export async function preloadPage(address: string): Promise<void> {
  const [, page] = PRELOADED.find(([start]) => address.startsWith(start)) ?? [];
  // The page itself loads the scripts again, and reports a failure.
  await page?.preload().catch(() => {});
}

/** The page for each address. Pages are loaded when they are first shown. */
export function Pages({ me }: PageProps) {
  return (
    <Switch>
      <Route path="/">
        {me.role === 'admin' || me.rootFolderId ? <HomePage me={me} /> : <Redirect to="/account" replace />}
      </Route>
      <Route path="/files/trash">
        <TrashPage />
      </Route>
      <Route path="/files/shared">
        <SharedPage />
      </Route>
      <Route path="/files/:folderId?">
        {({ folderId }) => <FilesPage me={me} folderId={folderId ?? me.rootFolderId} />}
      </Route>
      <Route path="/timeline/:folderId?">
        {({ folderId }) => <TimelinePage folderId={folderId ?? me.rootFolderId} />}
      </Route>
      {ADMIN_PAGES.map(([address, AdminPage]) => (
        <Route key={address} path={`${address}/*?`}>
          {me.role === 'admin' ? (
            <AdminPage me={me} />
          ) : (
            <NoPage title={texts.adminsOnly} text={texts.adminsOnlyText} />
          )}
        </Route>
      ))}
      <Route path="/share">
        <SharePage me={me} />
      </Route>
      <Route path="/account">
        <AccountPage me={me} />
      </Route>
      <Route>
        <NoPage title={texts.notFound} text={texts.notFoundText} />
      </Route>
    </Switch>
  );
}

const NoPage = ({ title, text }: { title: string; text: string }) => (
  <EmptyState title={title} text={text} whole="page">
    <Button component={Link} href="/">
      {common.home}
    </Button>
  </EmptyState>
);
