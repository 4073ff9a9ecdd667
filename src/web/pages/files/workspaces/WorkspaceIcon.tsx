import { HardDrive, UsersRound } from 'lucide-react';
import type { Workspace } from '../../../api/workspaces.ts';

export const WorkspaceIcon = ({ workspace: { personal } }: { workspace: Workspace }) =>
  personal ? <HardDrive size={17} aria-hidden /> : <UsersRound size={17} aria-hidden />;
