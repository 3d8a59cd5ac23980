import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob } from 'node:path'
import { iterationFiles } from './iteration-files.ts'
import { findOldWords } from './old-words.ts'
import { reachedFiles } from './reached-files.ts'
import { readSources, type Source } from './read-sources.ts'

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
