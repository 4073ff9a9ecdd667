export { FilesPage } from './files/FilesPage.tsx';
export { SharePage } from './share/SharePage.tsx';
export { SharedPage } from './shared/SharedPage.tsx';
export { TimelinePage } from './timeline/TimelinePage.tsx';
export { TrashPage } from './trash/TrashPage.tsx';
