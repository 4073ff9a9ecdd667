import { type ComponentType, lazy, Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import type { Me } from '../api/session.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { PageLoader } from '../components/PageLoader.tsx';
import { texts } from './texts.ts';

/** Properties of every page. */
interface PageProps {
  me: Me;
}

const loadHome = async () => ({ default: (await import('../pages/home/HomePage.tsx')).HomePage });
const loadFiles = async () => ({ default: (await import('../pages/files/FilesPage.tsx')).FilesPage });
const HomePage = lazy(loadHome);
const FilesPage = lazy(loadFiles);
const TrashPage = lazy(async () => ({ default: (await import('../pages/trash/TrashPage.tsx')).TrashPage }));
const SharedPage = lazy(async () => ({
  default: (await import('../pages/shared/SharedPage.tsx')).SharedPage,
}));
const TimelinePage = lazy(async () => ({
  default: (await import('../pages/timeline/TimelinePage.tsx')).TimelinePage,
}));
const ChatPage = lazy(async () => ({ default: (await import('../pages/chat/ChatPage.tsx')).ChatPage }));
const MailPage = lazy(async () => ({ default: (await import('../pages/mail/MailPage.tsx')).MailPage }));
const MessagesPage = lazy(async () => ({
  default: (await import('../pages/messages/MessagesPage.tsx')).MessagesPage,
}));
const PeoplePage = lazy(async () => ({
  default: (await import('../pages/people/PeoplePage.tsx')).PeoplePage,
}));
const WorkspacesPage = lazy(async () => ({
  default: (await import('../pages/workspaces/WorkspacesPage.tsx')).WorkspacesPage,
}));
const SharePage = lazy(async () => ({ default: (await import('../pages/share/SharePage.tsx')).SharePage }));
const AccountPage = lazy(async () => ({
  default: (await import('../pages/account/AccountPage.tsx')).AccountPage,
}));

/** Loads the scripts of a page that is shown as soon as the account is known. */
export function preloadPage(path: string): void {
  const load = path === '/' ? loadHome : /^\/files(?!\/(?:trash|shared)$)/.test(path) ? loadFiles : undefined;
  // A failure is that of the page itself, which loads them again.
  load?.().catch(() => {});
}

/** The page for each address. Pages are loaded when they are first shown. */
export function Pages({ me }: PageProps) {
  const admin = (Page: ComponentType<PageProps>) =>
    me.role === 'admin' ? (
      <Page me={me} />
    ) : (
      <EmptyState title={texts.adminsOnly} text={texts.adminsOnlyText} whole="page" />
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
          <EmptyState title={texts.notFound} text={texts.notFoundText} whole="page" />
        </Route>
      </Switch>
    </Suspense>
  );
}
