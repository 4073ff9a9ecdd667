import { type ComponentType, lazy, Suspense } from 'react';
import { Route, Switch } from 'wouter';
import type { Me } from '../api/session.ts';
import { Nothing } from '../parts/Nothing.tsx';
import { Waiting } from '../parts/Waiting.tsx';
import { common } from '../texts/common.ts';

/** What every page is given. */
export interface PageProps {
  me: Me;
}

const HomePage = lazy(() => import('../pages/home/HomePage.tsx').then((module) => ({ default: module.HomePage })));
const FilesPage = lazy(() => import('../pages/files/FilesPage.tsx').then((module) => ({ default: module.FilesPage })));
const TrashPage = lazy(() => import('../pages/files/TrashPage.tsx').then((module) => ({ default: module.TrashPage })));
const ChatPage = lazy(() => import('../pages/chat/ChatPage.tsx').then((module) => ({ default: module.ChatPage })));
const MailPage = lazy(() => import('../pages/mail/MailPage.tsx').then((module) => ({ default: module.MailPage })));
const MessagesPage = lazy(() => import('../pages/messages/MessagesPage.tsx').then((module) => ({ default: module.MessagesPage })));
const PeoplePage = lazy(() => import('../pages/people/PeoplePage.tsx').then((module) => ({ default: module.PeoplePage })));
const AccountPage = lazy(() => import('../pages/account/AccountPage.tsx').then((module) => ({ default: module.AccountPage })));

/** Which page an address shows; each is loaded when it is first needed. */
export function Pages({ me }: PageProps) {
  const admin = (Page: ComponentType<PageProps>) =>
    me.role === 'admin' ? <Page me={me} /> : <Nothing title={common.error.adminTitle} text={common.error.adminText} whole="page" />;
  return (
    <Suspense fallback={<Waiting />}>
      <Switch>
        <Route path="/">
          <HomePage me={me} />
        </Route>
        <Route path="/files/trash">
          <TrashPage />
        </Route>
        <Route path="/files/:folderId?">{({ folderId }) => <FilesPage me={me} folderId={folderId ?? me.rootFolderId} />}</Route>
        <Route path="/admin/chat/*?">{admin(ChatPage)}</Route>
        <Route path="/admin/mail/*?">{admin(MailPage)}</Route>
        <Route path="/admin/messages/*?">{admin(MessagesPage)}</Route>
        <Route path="/admin/people/*?">{admin(PeoplePage)}</Route>
        <Route path="/account">
          <AccountPage me={me} />
        </Route>
        <Route>
          <Nothing title={common.error.missingTitle} text={common.error.missingText} whole="page" />
        </Route>
      </Switch>
    </Suspense>
  );
}
