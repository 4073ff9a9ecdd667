/** Identifies a row that was found in a workspace. */
export interface FoundRow {
  id: string;
  workspaceId: string;
}
