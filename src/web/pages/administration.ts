export { ChatPage } from './chat/ChatPage.tsx';
export { MailPage } from './mail/MailPage.tsx';
export { MessagesPage } from './messages/MessagesPage.tsx';
export { PeoplePage } from './people/PeoplePage.tsx';
export { WorkspacesPage } from './workspaces/WorkspacesPage.tsx';
