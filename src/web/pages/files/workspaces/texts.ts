import { showingNames } from '../../../showing-names.ts';

export const texts = showingNames({
  membersOf: (name: string) => `Members of “${name}”`,
  members: 'Members',
  roleOf: (name: string) => `Role of ${name}`,
  leave: 'Leave',
  leaveTitle: 'Leave this workspace?',
  leaveText: 'You can no longer open its files. A manager can add you again.',
  removeNamed: (name: string) => `Remove ${name}`,
  removeTitle: (name: string) => `Remove ${name}?`,
  days90: '90 days',
  unlimited: 'unlimited',
  tokensOf: (name: string) => `Access tokens of “${name}”`,
  tokensText:
    'For applications. A token gives access to this workspace only, and is not tied to a person. ' +
    'Send it as “Authorization: Bearer TOKEN”.',
  tokens: 'Access tokens',
  renameTitle: (name: string) => `Rename “${name}”`,
  deleteTitle: (name: string) => `Delete “${name}”?`,
  deleteText:
    'Its members can no longer open it, and its links stop working. Managers can restore it for ' +
    'a few days; then its files are erased.',
  deleteWorkspace: 'Delete workspace',
  leaveNamed: (name: string) => `Leave “${name}”?`,
  leaveWorkspace: 'Leave workspace',
  renameWorkspace: 'Rename workspace',
  deletedWorkspaces: 'Deleted workspaces',
  restore: (name: string) => `Restore “${name}”`,
  erased: 'Will be erased',
  workspaceNamed: (name: string) => `Workspace: ${name}`,
  needsManager: 'A workspace needs a manager. Make another member a manager first.',
  unknownAccount:
    'No account has this address. Check it, or ask an administrator to invite the person to Posthouse first.',
  isMember: 'This person is already a member. Change the role in the list below.',
  restored: (name: string) => `Restored “${name}”`,
  deleted: (name: string) => `Deleted “${name}”`,
  left: (name: string) => `You left “${name}”`,
});
