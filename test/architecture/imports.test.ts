import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** Each part of the house, and the parts it may know. Drivers of the world are known to entry points only. */
const arrows: Record<string, string[]> = {
  'shared/core/contracts': [],
  'shared/core/client': ['shared/core/contracts'],
  'shared/core/random': [],
  'shared/play/answers': [],
  'shared/core/world/ports': ['shared/core/contracts'],
  'shared/core/world': ['shared/core/contracts', 'shared/core/world/ports'],
  'shared/core/world/aws': ['shared/core/contracts', 'shared/core/world/ports', 'shared/core/world', 'shared/environments/hosts'],
  'shared/core/outbound': ['shared/core/contracts'],
  'shared/core/world/local': [
    'shared/core/contracts',
    'shared/core/programs',
    'shared/core/threads',
    'shared/core/world/ports',
    'shared/core/world',
  ],
  'shared/core/programs': ['shared/core/contracts'],
  'shared/play/models': [
    'shared/core/contracts',
    'shared/core/outbound',
    'shared/core/programs',
    'shared/core/random',
    'shared/core/world/ports',
    'shared/core/pictures',
  ],
  'shared/play/simulated': ['shared/core/contracts', 'shared/core/random', 'shared/play/models'],
  'shared/environments': [
    'shared/core/contracts',
    'shared/core/outbound',
    'shared/core/programs',
    'shared/core/pictures',
    'shared/core/programs',
    'shared/core/programs',
    'shared/core/random',
    'shared/core/threads',
    'shared/core/world/ports',
  ],
  'shared/core/engine': ['shared/core/contracts', 'shared/core/random', 'shared/core/world/ports', 'shared/core/world'],
  'shared/core/auth': ['shared/core/contracts', 'shared/core/engine', 'shared/core/world/ports'],
  'shared/core/contracts': [],
  'shared/core/pictures': ['shared/core/contracts'],
  'shared/core/pictures': ['shared/core/contracts', 'shared/core/engine', 'shared/core/pictures', 'shared/core/world/ports'],
  'shared/play/presets': ['shared/core/contracts'],
  'shared/play/search': ['shared/core/contracts'],
  'shared/play/sandbox': ['shared/core/contracts', 'shared/core/threads'],
  'shared/core/threads': [],
  'shared/play/search': ['shared/play/answers', 'shared/core/contracts', 'shared/core/random', 'shared/play/search', 'shared/core/engine'],
  'shared/play/methods': [
    'shared/play/answers',
    'shared/core/contracts',
    'shared/core/random',
    'shared/play/search',
    'shared/play/sandbox',
    'shared/core/engine',
    'shared/play/search',
    'shared/environments',
    'shared/play/models',
    'shared/core/programs',
    'shared/core/threads',
  ],
  'shared/data/formats': ['shared/play/answers', 'shared/core/contracts', 'shared/play/methods'],
  'shared/data/trajectories': [
    'shared/play/answers',
    'shared/core/contracts',
    'shared/data/formats',
    'shared/core/engine',
    'shared/core/world',
    'shared/core/world/ports',
  ],
  'shared/data/datasets': [
    'shared/play/answers',
    'shared/core/contracts',
    'shared/data/formats',
    'shared/core/programs',
    'shared/core/random',
    'shared/play/search',
    'shared/play/search',
    'shared/core/engine',
    'shared/data/trajectories',
    'shared/play/models',
    'shared/core/world',
    'shared/core/world/ports',
  ],
  'shared/core/engine/jobs': ['shared/core/contracts', 'shared/core/engine', 'shared/core/world', 'shared/core/world/ports'],
  'shared/learn/registry': ['shared/core/world', 'shared/core/world/ports'],
  'shared/core/programs': ['shared/core/contracts', 'shared/core/threads'],
  'shared/core/programs': ['shared/core/contracts', 'shared/core/programs'],
  'shared/learn/trainings': [
    'shared/learn/registry',
    'shared/core/contracts',
    'shared/core/outbound',
    'shared/data/datasets',
    'shared/core/engine',
    'shared/data/formats',
    'shared/core/engine/jobs',
    'shared/play/models',
    'shared/core/programs',
    'shared/core/programs',
    'shared/learn/registry',
    'shared/core/world',
    'shared/core/world/ports',
  ],
  'shared/environments/data-packs': ['shared/core/contracts', 'shared/environments', 'shared/core/world', 'shared/core/world/ports'],
  'shared/environments/hosts': [
    'shared/core/contracts',
    'shared/core/outbound',
    'shared/environments',
    'shared/core/pictures',
    'shared/core/random',
    'shared/core/world/ports',
    'shared/core/world',
  ],
  'shared/learn/registry': ['shared/core/contracts', 'shared/core/engine', 'shared/core/world/ports', 'shared/core/world'],
  'shared/learn/serving': [
    'shared/learn/registry',
    'shared/core/contracts',
    'shared/play/models',
    'shared/core/programs',
    'shared/core/programs',
    'shared/learn/registry',
    'shared/core/world/ports',
    'shared/core/world',
  ],
  'shared/learn/tokenizers': [
    'shared/core/contracts',
    'shared/play/models',
    'shared/core/programs',
    'shared/learn/registry',
    'shared/core/threads',
  ],
  'shared/data/exports': ['shared/core/contracts', 'shared/core/client'],
  'shared/insight/telemetry': ['shared/core/contracts', 'shared/core/engine', 'shared/play/search'],
  'shared/insight/inspection': [
    'shared/core/contracts',
    'shared/core/random',
    'shared/play/search',
    'shared/core/engine',
    'shared/core/world/ports',
  ],
  'shared/insight/transcripts': [
    'shared/core/contracts',
    'shared/core/engine',
    'shared/insight/inspection',
    'shared/play/search',
    'shared/core/world/ports',
  ],
  'shared/insight/judgements': [
    'shared/core/contracts',
    'shared/data/datasets',
    'shared/core/engine',
    'shared/insight/reports',
    'shared/core/world',
    'shared/core/world/ports',
  ],
  'shared/learn/loops': ['shared/core/contracts', 'shared/core/engine', 'shared/insight/reports', 'shared/core/world/ports'],
  'shared/insight/reports': [
    'shared/core/contracts',
    'shared/data/exports',
    'shared/core/random',
    'shared/core/engine',
    'shared/play/search',
    'shared/core/world/ports',
  ],
}

/**
 * What stands outside shared/ and wires it, and what each may import beside itself. `shared` is all of it but the drivers
 * of the world.
 */
const entryPoints: Record<string, string[]> = {
  functions: ['shared', 'shared/core/world/aws', 'package.json'],
  // Its trainers may be services of AWS.
  local: ['shared', 'shared/core/world/local', 'shared/core/world/aws', 'functions', 'package.json'],
  cli: ['shared', 'shared/core/world/local', 'shared/core/world/aws', 'functions', 'local', 'package.json'],
  // A browser loads it: only what has no part of the service behind it.
  web: ['shared/core/contracts', 'shared/core/client'],
  // Hosts hold sessions alone: they know no runs, no models and no world.
  containers: [
    'shared/core/contracts',
    'shared/environments',
    'shared/core/pictures',
    'shared/core/programs',
    'shared/core/programs',
    'shared/core/threads',
  ],
  // It deploys functions by the paths of their handlers.
  infra: ['shared', 'package.json'],
  examples: ['shared'],
  // These measure, disturb and show the whole, some of it with the builders of tests.
  bench: [
    'shared',
    'shared/core/world/local',
    'shared/core/world/aws',
    'functions',
    'local',
    'cli',
    'containers',
    'test',
    'scripts',
  ],
  canary: ['shared', 'shared/core/world/aws', 'local', 'functions', 'cli', 'bench'],
  chaos: ['shared', 'shared/core/world/local', 'functions', 'local', 'cli'],
  scripts: ['shared', 'shared/core/world/local', 'functions', 'local', 'cli', 'test'],
}

/** Of the functions, what knows AWS: their handlers, and what these share. The rest is wired into the local service too. */
const knowsAws = /^functions\/(aws\/|[^/]+\/handler\.ts$)/

/** Folders with other code, in which tests that run beside this one make and remove files. */
const others = new Set(['node_modules', 'dist', 'cdk.out', '.git'])
const files = readdirSync(root, { withFileTypes: true })
  .filter(({ name }) => !others.has(name))
  .flatMap((entry) =>
    entry.isDirectory()
      ? readdirSync(join(root, entry.name), { recursive: true, encoding: 'utf8' }).map((file) =>
          join(entry.name, file),
        )
      : [entry.name],
  )
  .filter((file) => /\.tsx?$/.test(file) && !/node_modules|^(dist|cdk\.out)\//.test(file))
  .map((file) => ({ file, imports: importsOf(file) }))

test('every folder of shared/ has a rule', () => {
  const folders = new Set(files.map(({ file }) => partOf(file)).filter((part) => part.startsWith('shared/')))
  expect([...folders].filter((folder) => !(folder in arrows))).toEqual([])
})

test('imports inside shared/ follow the arrows', () => {
  const wrong = files.flatMap(({ file, imports }) => {
    const part = partOf(file)
    const allowed = arrows[part]
    if (!allowed) return []
    return targetsOf(file, imports)
      .filter((target) => ![part, ...allowed].includes(partOf(target)))
      .map((target) => `${file} → ${target}`)
  })
  expect(wrong).toEqual([])
})

test('shared/ imports no web framework, and AWS clients only in shared/core/world/aws', () => {
  const wrong = files
    .filter(({ file }) => file.startsWith('shared/'))
    .flatMap(({ file, imports }) =>
      imports
        .filter(
          (name) =>
            /^(hono|@hono|express|fastify)/.test(name) ||
            (name.startsWith('@aws-sdk') && !file.startsWith('shared/core/world/aws')),
        )
        .map((name) => `${file} → ${name}`),
    )
  expect(wrong).toEqual([])
})

test('nothing in shared/ imports an entry point', () => {
  const wrong = files
    .filter(({ file }) => file.startsWith('shared/'))
    .flatMap(({ file, imports }) =>
      targetsOf(file, imports)
        .filter((target) => !target.startsWith('shared/'))
        .map((target) => `${file} → ${target}`),
    )
  expect(wrong).toEqual([])
})

test('every folder with sources is a part of shared/, an entry point, or the tests', () => {
  const folders = new Set(
    files.filter(({ file }) => file.includes('/')).map(({ file }) => file.replace(/\/.*/, '')),
  )
  expect([...folders].filter((folder) => !(folder in entryPoints)).toSorted()).toEqual(['shared', 'test'])
})

test('an entry point imports what its rule names', () => {
  const wrong = files.flatMap(({ file, imports }) => {
    const entry = file.split('/')[0] as string
    const allowed = entryPoints[entry]
    if (allowed === undefined) return []
    return targetsOf(file, imports)
      .filter((target) => ![entry, ...allowed].some((part) => belongsTo(target, part)))
      .map((target) => `${file} → ${target}`)
  })
  expect(wrong).toEqual([])
})

test('of the functions, only handlers and what they share know AWS', () => {
  const wrong = files
    .filter(({ file }) => file.startsWith('functions/') && !knowsAws.test(file))
    .flatMap(({ file, imports }) =>
      targetsOf(file, imports)
        .filter((target) => target.startsWith('functions/aws/') || target.startsWith('shared/core/world/aws/'))
        .map((target) => `${file} → ${target}`),
    )
  expect(wrong).toEqual([])
})

/** The files that relative imports lead to. */
function targetsOf(file: string, imports: readonly string[]): string[] {
  return imports
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(root, resolve(root, dirname(file), name)))
}

function belongsTo(target: string, part: string): boolean {
  const isDriver = /^shared\/world\/(aws|local)\//.test(target)
  return target === part || (target.startsWith(`${part}/`) && !(isDriver && part === 'shared'))
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] as string)
}

function partOf(file: string): string {
  if (/^shared\/world\/ports\.ts$/.test(file)) return 'shared/core/world/ports'
  const segments = file.split('/')
  if (segments[0] !== 'shared') return segments[0] as string
  if (segments[1] === 'world' && segments.length > 3) return segments.slice(0, 3).join('/')
  return segments.slice(0, 2).join('/')
}
