import type { Scope } from '../contracts/key.ts'

export interface Principal {
  tenant: string
  scopes: readonly Scope[]
  /** The id of its key; null for the holder of the data folder. */
  key: string | null
}

export function isOperator({ key }: Pick<Principal, 'key'>): boolean {
  return key === null
}

export function hasScope({ scopes }: Pick<Principal, 'scopes'>, scope: Scope): boolean {
  return scopes.includes(scope) || scopes.includes('admin')
}
