import { filesOf } from './files.ts';
import { jsonOf } from './json.ts';
import { addPerson, type Posthouse } from './posthouse.ts';

type Headers = Record<string, string>;

export interface WorkspaceAnswer {
  id: string;
  name: string;
  personal: boolean;
  role: string;
  rootFolderId: string;
  usedBytes: number;
  maxBytes: number;
  dateErased?: string;
}

export interface Person {
  /** Of the account or the token. */
  id: string;
  headers: Headers;
}

export interface Team {
  workspace: WorkspaceAnswer;
  manager: Person & { email: string };
  editor: Person & { email: string };
  viewer: Person & { email: string };
  /** A member of no shared workspace. */
  stranger: Person & { email: string };
}

/** Creates a workspace with a member of each role. The server needs `POSTHOUSE_WORKSPACE_CREATORS=everyone`. */
export async function createTeam(posthouse: Posthouse, name = 'Team'): Promise<Team> {
  const person = (role: string) =>
    addPerson(posthouse.settings, `${role}-${crypto.randomUUID()}@example.org`);
  const [manager, editor, viewer, stranger] = [
    await person('manager'),
    await person('editor'),
    await person('viewer'),
    await person('stranger'),
  ];
  const asManager = jsonOf(posthouse, manager);
  const { body: workspace } = await asManager<WorkspaceAnswer>('POST', '/api/storage/workspaces', { name });
  for (const [role, { email }] of Object.entries({ editor, viewer }))
    await asManager('POST', `/api/storage/workspaces/${workspace.id}/members`, { email, role });
  return { workspace, manager, editor, viewer, stranger };
}

/** Creates a token of a workspace. */
export async function createTeamToken(
  posthouse: Posthouse,
  { workspace, manager }: Team,
  role: string,
): Promise<Person> {
  const path = `/api/storage/workspaces/${workspace.id}/tokens`;
  const { body } = await jsonOf(posthouse, manager)<{ id: string; token: string }>('POST', path, {
    name: role,
    role,
  });
  return { id: body.id, headers: { Authorization: `Bearer ${body.token}` } };
}

/** The files of a person in the root of a workspace. */
export function filesIn(posthouse: Posthouse, { headers }: Person, { rootFolderId }: WorkspaceAnswer) {
  const files = filesOf(posthouse, headers);
  return {
    ...files,
    upload: (content: string, name = 'file.txt') => files.upload(content, { name, folder: rootFolderId }),
  };
}
