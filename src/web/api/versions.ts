import { byId, posthouse } from './posthouse.ts';

const ofVersion = (id: string, versionId: string) => ({ params: { path: { id, versionId } } });

/** Returns the versions of a file, the last replaced first. */
export const listVersions = (id: string) => posthouse.get('/api/storage/files/{id}/versions', byId(id));
/** Restores a version; the content before becomes one. */
export const restoreVersion = (id: string, versionId: string) =>
  posthouse.post('/api/storage/files/{id}/versions/{versionId}/restore', ofVersion(id, versionId));
