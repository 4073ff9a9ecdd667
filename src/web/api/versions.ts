import { byId, posthouse, type Schemas } from './posthouse.ts';

/** Former content of a file. */
export type FileVersion = Schemas['FileVersion'];

const ofVersion = (id: string, versionId: string) => ({ params: { path: { id, versionId } } });

/** Returns the versions of a file, most recently replaced first. */
export const listVersions = (id: string) => posthouse.get('/api/storage/files/{id}/versions', byId(id));
/** Restores a version; the current content becomes a version. */
export const restoreVersion = (id: string, versionId: string) =>
  posthouse.post('/api/storage/files/{id}/versions/{versionId}/restore', ofVersion(id, versionId));
export const eraseVersion = (id: string, versionId: string) =>
  posthouse.delete('/api/storage/files/{id}/versions/{versionId}', ofVersion(id, versionId));
export const versionAddress = (id: string, versionId: string) =>
  `/api/storage/files/${id}/versions/${versionId}/content`;
