/** The first elements of query keys, shared by the queries that are refetched together. */
export const keys = {
  me: ['me'],
  accounts: ['accounts'],
  chat: ['chat'],
  mail: ['mail'],
  templates: ['mail', 'templates'],
  messages: ['messages'],
  overview: ['overview'],
  workspaces: ['workspaces'],
  folder: ['folder'],
  folderUsage: ['folder-usage'],
  files: ['files'],
  file: ['file'],
  versions: ['versions'],
  recent: ['recent'],
  links: ['links'],
  search: ['search'],
  timeline: ['timeline'],
  usage: ['usage'],
  trash: ['trash'],
} as const;

/** The first element of a query key. */
export type Kind = (typeof keys)[keyof typeof keys][0];
