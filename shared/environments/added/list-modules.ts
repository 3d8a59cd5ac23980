import { dirname, resolve } from 'node:path'
import type { ModuleLimits } from './load-module.ts'
import { readEnvironmentsFile } from './read-environments-file.ts'

export interface ListedModules {
  files: readonly string[]
  limits: ModuleLimits
}

export async function listModules(path: string): Promise<ListedModules> {
  const entries = [...(await readEnvironmentsFile(path, []))]
  const modules = entries.flatMap(([id, entry]) => (entry.kind === 'module' ? [{ id, ...entry }] : []))
  const limits = modules.map(({ id, kind: _, file: _file, ...declared }) => [id, declared] as const)
  return {
    files: [...new Set(modules.map(({ file }) => resolve(dirname(path), file)))],
    limits: Object.fromEntries(limits.filter(([, declared]) => Object.keys(declared).length > 0)),
  }
}

export function moduleVariables({ files, limits }: ListedModules): Record<string, string> {
  if (files.length === 0) return {}
  const isLimited = Object.keys(limits).length > 0
  return {
    ESPALIER_HOST_ENVIRONMENTS: files.join(','),
    ...(isLimited && { ESPALIER_HOST_MODULE_LIMITS: JSON.stringify(limits) }),
  }
}
