import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** The wings of shared/, and the wings that each may import beside itself. */
const wings: Record<string, string[]> = {
  core: [],
  environments: ['core'],
  play: ['core', 'environments'],
  data: ['core', 'environments', 'play'],
  insight: ['core', 'play', 'data'],
  learn: ['core', 'environments', 'play', 'data', 'insight'],
}

/**
 * The folders of each wing, in an order in which each imports those before it only: there are no circles. Rooms of
 * environments are one folder here. Drivers of the world are known to entry points only.
 */
const folders: Record<string, string[]> = {
  core: [
    'contracts',
    'random',
    'client',
    'threads',
    'programs',
    'outbound',
    'world',
    'world/aws',
    'world/local',
    'world/postgres',
    'engine',
    'pictures',
    'auth',
  ],
  environments: ['rooms', 'data-packs', 'hosts'],
  play: ['answers', 'sandbox', 'models', 'presets', 'simulated', 'search', 'methods'],
  data: ['formats', 'trajectories', 'datasets', 'exports'],
  insight: ['inspection', 'transcripts', 'reports', 'judgements', 'telemetry', 'boards', 'recipes'],
  learn: ['registry', 'serving', 'tokenizers', 'rollouts', 'trainings', 'loops'],
}

/** Folders that import less than their order allows: browsers load the client, and models know the ports alone. */
const only: Record<string, string[]> = {
  'core/client': ['core/contracts'],
  'core/threads': [],
  'core/world': ['core/contracts'],
  'core/world/local': ['core/contracts', 'core/threads', 'core/programs', 'core/world'],
  'core/engine': ['core/contracts', 'core/random', 'core/world'],
}

/**
 * What stands outside shared/ and wires it, and what each may import beside itself. `shared` is all of it but the drivers
 * of the world.
 */
const entryPoints: Record<string, string[]> = {
  functions: ['shared', 'shared/core/world/aws', 'package.json'],
  // Its trainers may be services of AWS.
  local: [
    'shared',
    'shared/core/world/local',
    'shared/core/world/postgres',
    'shared/core/world/aws',
    'functions',
    'package.json',
  ],
  cli: ['shared', 'shared/core/world/local', 'shared/core/world/aws', 'functions', 'local', 'package.json'],
  // A browser loads it: only what has no part of the service behind it, and the text of examples.
  web: ['shared/core/contracts', 'shared/core/client', 'examples'],
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
  infra: ['shared', 'package.json', 'scripts/supply-chain'],
  examples: ['shared'],
  // These measure, disturb and show the whole, some of it with the builders of tests.
  bench: [
    'shared/core/world/postgres',
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
  chaos: [
    'shared',
    'shared/core/world/local',
    'shared/core/world/postgres',
    'functions',
    'local',
    'cli',
    'test',
  ],
  scripts: ['shared', 'shared/core/world/local', 'functions', 'local', 'cli', 'test'],
}

/** Of the functions, what knows AWS: their handlers, and what these share. The rest is wired into the local service too. */
const knowsAws = /^functions\/(aws\/|[^/]+\/handler\.ts$)/

/** A program of a room's hosts: an entry point as those of `containers` are, beside the rules that it plays. */
const hostProgram = /^shared\/environments\/[^/]+\/host\//

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

test('every folder of shared/ is in a wing', () => {
  const parts = files.filter(({ file }) => file.startsWith('shared/')).map(({ file }) => placeOf(file))
  const known = Object.entries(folders).flatMap(([wing, names]) => names.map((name) => `${wing}/${name}`))
  expect([...new Set(parts.map(nameOf))].filter((part) => !known.includes(part))).toEqual([])
})

test('a wing imports the wings below it, and a folder those before it', () => {
  expect(wrongArrows()).toEqual([])
})

test('only entry points know the drivers of a world', () => {
  const drivers = new Set(['core/world/aws', 'core/world/local', 'core/world/postgres'])
  // This one keeps objects in S3 or in files, and starts hosts, by their code.
  const borrows = 'core/world/postgres'
  expect(
    arrowsBetween().filter(
      ({ from, to }) => drivers.has(nameOf(to)) && ![nameOf(to), borrows].includes(nameOf(from)),
    ),
  ).toEqual([])
})

test('shared/ imports no web framework, and AWS clients only in shared/core/world/aws', () => {
  const wrong = files
    .filter(({ file }) => file.startsWith('shared/') && !hostProgram.test(file))
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

test('the PostgreSQL client is imported by its driver alone', () => {
  const users = files.filter(({ file, imports }) => !file.startsWith('test/') && imports.includes('pg'))
  expect(
    users.map(({ file }) => dirname(file)).filter((folder) => folder !== 'shared/core/world/postgres'),
  ).toEqual([])
})

test('nothing in shared/ imports an entry point', () => {
  const wrong = files
    .filter(({ file }) => file.startsWith('shared/') && !hostProgram.test(file))
    .flatMap(({ file, imports }) =>
      targetsOf(file, imports)
        .filter((target) => !target.startsWith('shared/'))
        .map((target) => `${file} → ${target}`),
    )
  expect(wrong).toEqual([])
})

test('nothing but tests, benches and programs of containers imports the host programs of a room', () => {
  const wrong = files
    .filter(({ file }) => !/^(test|bench|containers)\//.test(file))
    .flatMap(({ file, imports }) =>
      targetsOf(file, imports)
        .filter((target) => hostProgram.test(target) && dirname(target) !== dirname(file))
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
    const entry = hostProgram.test(file) ? 'containers' : (file.split('/')[0] as string)
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
        .filter(
          (target) => target.startsWith('functions/aws/') || target.startsWith('shared/core/world/aws/'),
        )
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
  const isDriver = /^shared\/world\/(aws|local|postgres)\//.test(target)
  return target === part || (target.startsWith(`${part}/`) && !(isDriver && part === 'shared'))
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] as string)
}

interface Place {
  wing: string
  folder: string
}

function placeOf(file: string): Place {
  const [, wing = '', folder = '', driver = ''] = file.split('/')
  if (wing === 'environments' && !['hosts', 'data-packs'].includes(folder)) return { wing, folder: 'rooms' }
  const isDriver = folder === 'world' && ['aws', 'local', 'postgres'].includes(driver)
  return { wing, folder: isDriver ? `${folder}/${driver}` : folder }
}

function nameOf({ wing, folder }: Place): string {
  return `${wing}/${folder}`
}

function arrowsBetween(): { from: Place; to: Place; says: string }[] {
  return files
    .filter(({ file }) => file.startsWith('shared/'))
    .flatMap(({ file, imports }) =>
      targetsOf(file, imports)
        .filter((target) => target.startsWith('shared/'))
        .map((target) => ({ from: placeOf(file), to: placeOf(target), says: `${file} → ${target}` })),
    )
}

function wrongArrows(): string[] {
  return arrowsBetween()
    .filter(({ from, to }) => nameOf(from) !== nameOf(to) && !isAllowed(from, to))
    .map(({ says }) => says)
}

function isAllowed(from: Place, to: Place): boolean {
  const least = only[nameOf(from)]
  if (least !== undefined) return least.includes(nameOf(to))
  if (from.wing !== to.wing) return wings[from.wing]?.includes(to.wing) ?? false
  const order = folders[from.wing] ?? []
  return order.indexOf(to.folder) < order.indexOf(from.folder)
}
