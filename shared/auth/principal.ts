import type { Scope } from '../contracts/key.ts'

/** Who asks: for which tenant, and what they may do there. */
export interface Principal {
  tenant: string
  scopes: readonly Scope[]
  /** The id of the key they showed; null for the holder of the data folder. */
  key: string | null
}

/** Whether the principal operates the service, which no key makes anybody. */
export function isOperator({ key }: Pick<Principal, 'key'>): boolean {
  return key === null
}

/** Whether the principal may do what needs the scope, within its tenant. */
export function hasScope({ scopes }: Pick<Principal, 'scopes'>, scope: Scope): boolean {
  return scopes.includes(scope) || scopes.includes('admin')
}
