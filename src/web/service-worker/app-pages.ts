/** The address at which files arrive that another app shares. */
export const SHARE_PATH = '/share';

/** Reports whether a path is a page of the app, not one of the server for visitors, a file or an API. */
export const isAppPage = (path: string) =>
  /^\/(?:(?:files|timeline|admin|account|share)(?:\/.*)?)?$/.test(path);
