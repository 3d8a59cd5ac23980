import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export interface ReachedFile {
  file: string
  lines: number
}

/**
 * The files that a reader of one file must follow: the file itself, and all files reached by its value imports,
 * transitively. It does not follow imports of types alone (`import type`, or a list whose every name is a `type`),
 * nor packages. Lines include comments.
 * @param root - the folder of the repository
 * @param start - a file, relative to it
 */
export function reachedFiles(root: string, start: string): ReachedFile[] {
  const reached = new Map<string, ReachedFile>()
  const waiting = [start]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue
    const text = readFileSync(join(root, file), 'utf8')
    reached.set(file, { file, lines: text.trimEnd().split('\n').length })
    const folder = dirname(file)
    waiting.push(...valueImports(text).map((name) => normalize(join(folder, name))))
  }
  return [...reached.values()].toSorted((one, other) => one.file.localeCompare(other.file))
}

export function relativeImports(root: string, file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return statementsOf(text).map(({ path }) => normalize(join(dirname(file), path)))
}

export function valueImports(source: string): string[] {
  return statementsOf(source).flatMap(({ names, path }) => (isOfTypes(names) ? [] : [path]))
}

function statementsOf(source: string): { names: string; path: string }[] {
  const statements = source.matchAll(/^(?:import|export)\s+(?:([^'";=]*?)\s+from\s+)?'(\.[^']+)'/gm)
  return [...statements].map(([, names = '*', path]) => ({ names, path: path as string }))
}

function isOfTypes(names: string): boolean {
  if (/^type\s/.test(names)) return true
  const list = /^\{([^}]*)\}$/.exec(names)?.[1]
  const listed = list?.split(',').filter((name) => name.trim() !== '') ?? []
  return listed.length > 0 && listed.every((name) => /^\s*type\s/.test(name))
}
