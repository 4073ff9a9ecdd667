import { expect, test } from 'bun:test';
import type { OpenApi } from '../openapi-types.ts';
import { subjectsOf } from './places.ts';
import { createSchemas } from './schemas.ts';
import { createSearch } from './search.ts';

const operation = (operationId: string, summary: string, field: string) => ({
  operationId,
  summary,
  tags: ['files'],
  responses: {
    200: {
      description: 'Done.',
      content: { 'application/json': { schema: { type: 'object', properties: { [field]: {} } } } },
    },
  },
});

const DOCUMENT: OpenApi = {
  info: { title: 'API', version: '1' },
  tags: [{ name: 'files', description: 'Files' }],
  'x-tagGroups': [{ name: 'Storage', tags: ['files'] }],
  paths: {
    '/files': {
      get: operation('listFiles', 'List files', 'originalName'),
      post: operation('addFile', 'Add a file', 'Name'),
    },
    '/folders': { get: operation('listFolders', 'List by name', 'parentId') },
  },
};

test('a search finds names before descriptions, and reads the fields of each operation once', () => {
  const schemas = createSchemas(DOCUMENT);
  let reads = 0;
  const search = createSearch(subjectsOf(DOCUMENT), {
    fields(schema) {
      reads++;
      return schemas.fields(schema);
    },
  });
  const idsOf = (query: string) => search(query).map(({ operation }) => operation.operationId);
  expect(idsOf(' ')).toEqual([]);
  expect(reads).toBe(0);
  expect(idsOf('NAME')).toEqual(['listFolders', 'listFiles', 'addFile']);
  expect(idsOf('list originalname')).toEqual(['listFiles']);
  expect(reads).toBe(3);
});
