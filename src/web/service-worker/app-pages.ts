/** The address that receives files shared by other apps. */
export const SHARE_PATH = '/share';

/** Reports whether a path is a page of the app, and not a page for visitors, a file or an API. */
export const isAppPage = (path: string) =>
  /^\/(?:(?:files|timeline|admin|account|share)(?:\/.*)?)?$/.test(path);
