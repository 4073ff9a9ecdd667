import { afterAll } from 'bun:test';
import { killAll } from './process.ts';

export * from './accounts.ts';
export * from './command.ts';
export * from './process.ts';

afterAll(killAll);
