import type { Service } from '../kernel/service.ts';

export function createStorage(): Service {
  return { mount() {} };
}
