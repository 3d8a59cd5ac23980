import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

interface Manifest {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}

const manifest = JSON.parse(read('package.json')) as Manifest

/** The packages that docs/architecture.md says the purpose of; `@scope/*` stands for all of a scope. */
const documented = read('docs/architecture.md')
  .split('## What each dependency is for')[1]
  ?.split('\n')
  .flatMap((line) => [...(/^\| (.*?) \|/.exec(line)?.[1] ?? '').matchAll(/`([^`]+)`/g)])
  .map((match) => match[1] as string)

const covers = (name: string) => (pattern: string) =>
  pattern === name || (pattern.endsWith('/*') && name.startsWith(pattern.slice(0, -1)))

test('each runtime dependency has its purpose in docs/architecture.md, and no other package has one', () => {
  const { dependencies, optionalDependencies, devDependencies } = manifest
  const own = [...Object.keys(dependencies), ...Object.keys(optionalDependencies)]
  expect(own.filter((name) => !documented?.some(covers(name)))).toEqual([])
  const known = [...own, ...Object.keys(devDependencies)]
  expect(documented?.filter((pattern) => !known.some((name) => covers(name)(pattern)))).toEqual([])
})

test('versions are pinned', () => {
  const versions = Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies })
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
})

/** Packages of megabytes that most installations never use. */
const late = ['@aws-sdk/client-sagemaker', '@azure/identity', 'compromise', 'fuzzball', 'gpt-tokenizer']

/** Files that import a late package as soon as they are loaded, and are loaded by `loadOptional` alone. */
const loadedLate = ['shared/environments/webshop/words.ts', 'shared/core/world/aws/sage-maker-jobs.ts']

test('late packages are imported when they are needed, not at the start', () => {
  const names = late.join('|')
  const early = new RegExp(`^(?:import|export)[^'\\n]*'(?:${names})(?:/[^']*)?'|^\\} from '(?:${names})`, 'm')
  const files = ['shared', 'functions', 'local', 'cli', 'containers'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => ({ file: `${folder}/${file}`, text: read(`${folder}/${file}`) })),
  )
  expect(files.filter(({ text }) => early.test(text)).map(({ file }) => file)).toEqual(loadedLate)
  for (const path of loadedLate) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const importsIt = new RegExp(
      `^import (?!type )[^\\n]*'[^']*/webshop/${name}'|^import (?!type )[^\\n]*'\\./${name}'`,
      'm',
    )
    expect(files.filter(({ file, text }) => file.includes('/webshop/') && importsIt.test(text))).toEqual([])
  }
})
