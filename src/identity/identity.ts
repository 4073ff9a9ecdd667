import type { Service } from '../kernel/service.ts';

export function createIdentity(): Service {
  return { mount() {} };
}
