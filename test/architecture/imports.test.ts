import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** Each part of the house, and the parts it may know. Drivers of the world are known to entry points only. */
const arrows: Record<string, string[]> = {
  'shared/contracts': [],
  'shared/client': ['shared/contracts'],
  'shared/random': [],
  'shared/answers': [],
  'shared/world/ports': ['shared/contracts'],
  'shared/world': ['shared/contracts', 'shared/world/ports'],
  'shared/world/aws': ['shared/contracts', 'shared/world/ports', 'shared/world', 'shared/hosts'],
  'shared/outbound': ['shared/contracts'],
  'shared/world/local': [
    'shared/contracts',
    'shared/programs',
    'shared/threads',
    'shared/world/ports',
    'shared/world',
  ],
  'shared/packages': ['shared/contracts'],
  'shared/models': [
    'shared/contracts',
    'shared/outbound',
    'shared/packages',
    'shared/random',
    'shared/world/ports',
    'shared/pictures',
  ],
  'shared/simulated': ['shared/contracts', 'shared/random', 'shared/models'],
  'shared/environments': [
    'shared/contracts',
    'shared/outbound',
    'shared/packages',
    'shared/pixels',
    'shared/programs',
    'shared/python',
    'shared/random',
    'shared/threads',
    'shared/world/ports',
  ],
  'shared/engine': ['shared/contracts', 'shared/random', 'shared/world/ports', 'shared/world'],
  'shared/auth': ['shared/contracts', 'shared/engine', 'shared/world/ports'],
  'shared/pages': [],
  'shared/pixels': ['shared/contracts'],
  'shared/pictures': ['shared/contracts', 'shared/engine', 'shared/pixels', 'shared/world/ports'],
  'shared/presets': ['shared/contracts'],
  'shared/prompts': ['shared/contracts'],
  'shared/sandbox': ['shared/contracts', 'shared/threads'],
  'shared/threads': [],
  'shared/search': ['shared/answers', 'shared/contracts', 'shared/random', 'shared/prompts', 'shared/engine'],
  'shared/methods': [
    'shared/answers',
    'shared/contracts',
    'shared/random',
    'shared/prompts',
    'shared/sandbox',
    'shared/engine',
    'shared/search',
    'shared/environments',
    'shared/models',
    'shared/programs',
    'shared/threads',
  ],
  'shared/formats': ['shared/answers', 'shared/contracts', 'shared/methods'],
  'shared/trajectories': [
    'shared/answers',
    'shared/contracts',
    'shared/formats',
    'shared/engine',
    'shared/world',
    'shared/world/ports',
  ],
  'shared/datasets': [
    'shared/answers',
    'shared/contracts',
    'shared/formats',
    'shared/packages',
    'shared/random',
    'shared/prompts',
    'shared/search',
    'shared/engine',
    'shared/trajectories',
    'shared/models',
    'shared/world',
    'shared/world/ports',
  ],
  'shared/jobs': ['shared/contracts', 'shared/engine', 'shared/world', 'shared/world/ports'],
  'shared/accelerators': ['shared/world', 'shared/world/ports'],
  'shared/programs': ['shared/contracts', 'shared/threads'],
  'shared/python': ['shared/contracts', 'shared/programs'],
  'shared/trainings': [
    'shared/accelerators',
    'shared/contracts',
    'shared/outbound',
    'shared/datasets',
    'shared/engine',
    'shared/formats',
    'shared/jobs',
    'shared/models',
    'shared/programs',
    'shared/python',
    'shared/registry',
    'shared/world',
    'shared/world/ports',
  ],
  'shared/data-packs': ['shared/contracts', 'shared/environments', 'shared/world', 'shared/world/ports'],
  'shared/hosts': [
    'shared/contracts',
    'shared/outbound',
    'shared/environments',
    'shared/pictures',
    'shared/random',
    'shared/world/ports',
    'shared/world',
  ],
  'shared/registry': ['shared/contracts', 'shared/engine', 'shared/world/ports', 'shared/world'],
  'shared/serving': [
    'shared/accelerators',
    'shared/contracts',
    'shared/models',
    'shared/programs',
    'shared/python',
    'shared/registry',
    'shared/world/ports',
    'shared/world',
  ],
  'shared/tokenizers': [
    'shared/contracts',
    'shared/models',
    'shared/programs',
    'shared/registry',
    'shared/threads',
  ],
  'shared/exports': ['shared/contracts', 'shared/client'],
  'shared/telemetry': ['shared/contracts', 'shared/engine', 'shared/search'],
  'shared/inspection': [
    'shared/contracts',
    'shared/random',
    'shared/search',
    'shared/engine',
    'shared/world/ports',
  ],
  'shared/transcripts': [
    'shared/contracts',
    'shared/engine',
    'shared/inspection',
    'shared/search',
    'shared/world/ports',
  ],
  'shared/judgements': [
    'shared/contracts',
    'shared/datasets',
    'shared/engine',
    'shared/reports',
    'shared/world',
    'shared/world/ports',
  ],
  'shared/loops': ['shared/contracts', 'shared/engine', 'shared/reports', 'shared/world/ports'],
  'shared/reports': [
    'shared/contracts',
    'shared/exports',
    'shared/random',
    'shared/engine',
    'shared/search',
    'shared/world/ports',
  ],
}

/**
 * What stands outside shared/ and wires it, and what each may import beside itself. `shared` is all of it but the drivers
 * of the world.
 */
const entryPoints: Record<string, string[]> = {
  functions: ['shared', 'shared/world/aws', 'package.json'],
  // Its trainers may be services of AWS.
  local: ['shared', 'shared/world/local', 'shared/world/aws', 'functions', 'package.json'],
  cli: ['shared', 'shared/world/local', 'shared/world/aws', 'functions', 'local', 'package.json'],
  // A browser loads it: only what has no part of the service behind it.
  web: ['shared/contracts', 'shared/client'],
  // Hosts hold sessions alone: they know no runs, no models and no world.
  containers: [
    'shared/contracts',
    'shared/environments',
    'shared/pixels',
    'shared/programs',
    'shared/python',
    'shared/threads',
  ],
  // It deploys functions by the paths of their handlers.
  infra: ['shared', 'package.json'],
  examples: ['shared'],
  // These measure, disturb and show the whole, some of it with the builders of tests.
  bench: [
    'shared',
    'shared/world/local',
    'shared/world/aws',
    'functions',
    'local',
    'cli',
    'containers',
    'test',
    'scripts',
  ],
  canary: ['shared', 'shared/world/aws', 'local', 'functions', 'cli', 'bench'],
  chaos: ['shared', 'shared/world/local', 'functions', 'local', 'cli'],
  scripts: ['shared', 'shared/world/local', 'functions', 'local', 'cli', 'test'],
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

test('shared/ imports no web framework, and AWS clients only in shared/world/aws', () => {
  const wrong = files
    .filter(({ file }) => file.startsWith('shared/'))
    .flatMap(({ file, imports }) =>
      imports
        .filter(
          (name) =>
            /^(hono|@hono|express|fastify)/.test(name) ||
            (name.startsWith('@aws-sdk') && !file.startsWith('shared/world/aws')),
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
        .filter((target) => target.startsWith('functions/aws/') || target.startsWith('shared/world/aws/'))
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
  if (/^shared\/world\/ports\.ts$/.test(file)) return 'shared/world/ports'
  const segments = file.split('/')
  if (segments[0] !== 'shared') return segments[0] as string
  if (segments[1] === 'world' && segments.length > 3) return segments.slice(0, 3).join('/')
  return segments.slice(0, 2).join('/')
}
