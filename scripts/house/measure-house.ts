import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob, normalize } from 'node:path'
import { readSources, readTexts, type Source } from './read-sources.ts'

export interface HouseFigures {
  files: number
  lines: { median: number; p90: number; most: number; longest: string }
  overlong: string[]
  styles: number
  crumbs: { file: string; lines: number; importer: string }[]
  repeated: { name: string; files: string[] }[]
  oldWords: { file: string; line: number; text: string }[]
  reached: { start: string; files: number; lines: number }[]
  iterations: { method: string; files: string[]; lines: number }[]
  rootFiles: string[]
  scripts: string[]
}

interface ReachedFile {
  file: string
  lines: number
}

const smallFile = 30
const longestFile = 400

export function measureHouse(root: string): HouseFigures {
  const all = readSources(root)
  const sources = all.filter(({ file }) => !/^(bench|scripts)\//.test(file))
  const sorted = sources.toSorted((one, other) => one.lines - other.lines)
  const longest = sorted.at(-1)
  return {
    files: sources.length,
    lines: {
      median: sorted[Math.floor(sorted.length * 0.5)]?.lines ?? 0,
      p90: sorted[Math.floor(sorted.length * 0.9)]?.lines ?? 0,
      most: longest?.lines ?? 0,
      longest: longest?.file ?? '',
    },
    overlong: [...all, ...readSources(root, ['examples', 'test'])]
      .filter((source) => source.lines > longestFile)
      .map(({ file }) => file),
    styles: styleSheets(root).length,
    crumbs: findCrumbs(sources, all),
    repeated: findRepeated(sources.filter(({ file }) => file.startsWith('shared/'))),
    oldWords: findOldWords(root),
    reached: measureReach(root),
    iterations: ['rollouts', 'puct'].map((method) => {
      const files = iterationFiles(root, `shared/play/methods/mcts/${method}.ts`)
      return {
        method,
        files: files.map(({ file }) => file),
        lines: files.reduce((sum, { lines }) => sum + lines, 0),
      }
    }),
    rootFiles: readRootFiles(root),
    scripts: Object.keys(
      (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }).scripts,
    ),
  }
}

function findCrumbs(sources: readonly Source[], all: readonly Source[]): HouseFigures['crumbs'] {
  const importers = new Map<string, string[]>()
  for (const { file, imports } of all) {
    for (const target of new Set(imports)) importers.set(target, [...(importers.get(target) ?? []), file])
  }
  return sources.flatMap(({ file, lines }) => {
    const [importer, ...others] = importers.get(file) ?? []
    const isCrumb =
      lines <= smallFile && importer && others.length === 0 && dirname(importer) === dirname(file)
    return isCrumb ? [{ file, lines, importer }] : []
  })
}

function findRepeated(sources: readonly Source[]): HouseFigures['repeated'] {
  const definers = new Map<string, string[]>()
  for (const { file, exports } of sources) {
    for (const name of exports) definers.set(name, [...(definers.get(name) ?? []), file])
  }
  return [...definers].flatMap(([name, files]) => (files.length > 1 ? [{ name, files }] : []))
}

function measureReach(root: string): HouseFigures['reached'] {
  const folders = readdirSync(join(root, 'shared/play/methods'))
  const methods = folders.filter((name) => existsSync(join(root, `shared/play/methods/${name}/${name}.ts`)))
  const starts = ['mcts/rollouts', 'mcts/puct', ...methods.map((name) => `${name}/${name}`)]
  return starts.map((start) => {
    const files = reachedFiles(root, `shared/play/methods/${start}.ts`)
    return { start, files: files.length, lines: files.reduce((sum, { lines }) => sum + lines, 0) }
  })
}

function readRootFiles(root: string): string[] {
  const ignored = readFileSync(join(root, '.gitignore'), 'utf8').split('\n').filter(Boolean)
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== '.git')
    .map(({ name }) => name)
    .filter((name) => !ignored.some((pattern) => matchesGlob(name, pattern.replace(/^\//, ''))))
}

function styleSheets(root: string): string[] {
  return readdirSync(join(root, 'web'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.module.css') && !/(^|\/)(dist|node_modules)\//.test(file),
  )
}

/** Interfaces that an iteration crosses, each with the class behind it. The last class plays the environment's core. */
const crossings = [
  { contract: 'shared/play/search/search-scope.ts', behind: 'shared/play/methods/episode-scope.ts' },
  { contract: 'shared/play/methods/node-states.ts', behind: 'shared/play/methods/pure-states.ts' },
] as const
const core = 'shared/environments/environment.ts'

/**
 * The files that a reader of one iteration of MCTS must follow, from the method's file to the environment's core: the
 * search (value imports), the types that its files name, and the classes behind the interfaces on the way. Contracts of
 * `shared/core` and the way of a model call are left out.
 * @throws Error if the path is broken: a class no longer imports its contract, or the next one
 */
function iterationFiles(root: string, method: string): ReachedFile[] {
  const search = reachedFiles(root, method)
  const named = search.flatMap(({ file }) => relativeImports(root, file))
  const path = crossings.flatMap(({ contract, behind }) => [contract, behind])
  if (!named.includes(crossings[0].contract))
    throw new Error(`${method}: no file imports ${crossings[0].contract}.`)
  for (const [index, { contract, behind }] of crossings.entries()) {
    const next = crossings[index + 1]?.contract ?? core
    const imports = relativeImports(root, behind)
    const known = [...imports, ...imports.flatMap((file) => relativeImports(root, file))]
    for (const file of [contract, next])
      if (!known.includes(file)) throw new Error(`${behind} no longer imports ${file}.`)
  }
  const files = [...search.map(({ file }) => file), ...named, ...path, core]
  const own = [...new Set(files)].filter((file) => !file.startsWith('shared/core/'))
  return own.flatMap((file) => reachedFiles(root, file).filter((reached) => reached.file === file))
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

function relativeImports(root: string, file: string): string[] {
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

const oldWords =
  /\b(told|tells?|telling|reckon\w*|voice[sd]?|voicing|shelf|shelves|shelved|whoever|nobody|in vain|somebody|standings?)\b/i

/**
 * Files that use such a word literally: objects of the games, texts that models read (a change would change recorded
 * runs' prompts), and this list.
 */
const exempt: readonly RegExp[] = [
  /^shared\/environments\/(?!added|data-packs|hosts)[a-z-]+\//,
  /^shared\/play\/simulated\//,
  /-prompts?\.ts$/,
  /^scripts\/house\//,
  /^docs\/(own-environments|environments)\.md$/,
  /^CHANGELOG\.md$/,
]

function findOldWords(root: string): HouseFigures['oldWords'] {
  return readTexts(root)
    .filter((file) => !exempt.some((pattern) => pattern.test(file)))
    .flatMap((file) => {
      const lines = readFileSync(join(root, file), 'utf8').split('\n')
      return lines.flatMap((text, index) =>
        oldWords.test(text) ? [{ file, line: index + 1, text: text.trim().slice(0, 160) }] : [],
      )
    })
}
