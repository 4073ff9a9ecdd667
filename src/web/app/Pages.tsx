import { Button } from '@mantine/core';
import { type ComponentType, Suspense } from 'react';
import { Link, Redirect, Route, Switch } from 'wouter';
import type { Me } from '../api/session.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { PageLoader } from '../components/PageLoader.tsx';
import { texts as common } from '../texts.ts';
import { lazyPage } from './lazy-page.tsx';
import { texts } from './texts.ts';

/** Properties of every page. */
interface PageProps {
  me: Me;
}

// The bundler writes one script for each set of pages that share a module. Imported one by one, the pages need about
// fifty requests; imported in groups, half as many.
const storage = () => import('../pages/storage.ts');
const administration = () => import('../pages/administration.ts');
const HomePage = lazyPage(async () => (await import('../pages/home/HomePage.tsx')).HomePage);
const FilesPage = lazyPage(async () => (await storage()).FilesPage);
const TrashPage = lazyPage(async () => (await storage()).TrashPage);
const SharedPage = lazyPage(async () => (await storage()).SharedPage);
const TimelinePage = lazyPage(async () => (await storage()).TimelinePage);
const ChatPage = lazyPage(async () => (await administration()).ChatPage);
const MailPage = lazyPage(async () => (await administration()).MailPage);
const MessagesPage = lazyPage(async () => (await administration()).MessagesPage);
const PeoplePage = lazyPage(async () => (await administration()).PeoplePage);
const WorkspacesPage = lazyPage(async () => (await administration()).WorkspacesPage);
const SharePage = lazyPage(async () => (await storage()).SharePage);
const AccountPage = lazyPage(async () => (await import('../pages/account/AccountPage.tsx')).AccountPage);

/** Pages by the start of their addresses, longer ones first. */
const PRELOADED = [
  ['/files/trash', TrashPage],
  ['/files/shared', SharedPage],
  ['/files', FilesPage],
  ['/timeline', TimelinePage],
  ['/admin/chat', ChatPage],
  ['/admin/mail', MailPage],
  ['/admin/messages', MessagesPage],
  ['/admin/people', PeoplePage],
  ['/admin/workspaces', WorkspacesPage],
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
  const admin = (Page: ComponentType<PageProps>) =>
    me.role === 'admin' ? (
      <Page me={me} />
    ) : (
      <EmptyState title={texts.adminsOnly} text={texts.adminsOnlyText} whole="page">
        <HomeButton />
      </EmptyState>
    );
  return (
    <Suspense fallback={<PageLoader />}>
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
        <Route path="/admin/chat/*?">{admin(ChatPage)}</Route>
        <Route path="/admin/mail/*?">{admin(MailPage)}</Route>
        <Route path="/admin/messages/*?">{admin(MessagesPage)}</Route>
        <Route path="/admin/people/*?">{admin(PeoplePage)}</Route>
        <Route path="/admin/workspaces/*?">{admin(WorkspacesPage)}</Route>
        <Route path="/share">
          <SharePage me={me} />
        </Route>
        <Route path="/account">
          <AccountPage me={me} />
        </Route>
        <Route>
          <EmptyState title={texts.notFound} text={texts.notFoundText} whole="page">
            <HomeButton />
          </EmptyState>
        </Route>
      </Switch>
    </Suspense>
  );
}

const HomeButton = () => (
  <Button component={Link} href="/">
    {common.home}
  </Button>
);
