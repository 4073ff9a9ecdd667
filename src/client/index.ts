export type { AnswerOf, BodyOf, Call, ListCall, Page } from './calls.ts';
export { createPosthouse, type Posthouse, type PosthouseOptions } from './client.ts';
export { type ErrorCode, type FieldError, PosthouseError, type ProblemCode } from './error.ts';
export type { Fetch } from './retry.ts';
export type { components, operations, paths } from './schema.d.ts';
export type { ResumableOptions, UploadOptions, UploadRecord } from './upload-options.ts';
export type { Uploads } from './uploads.ts';
