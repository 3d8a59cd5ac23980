import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const runFile = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')

/** A folder in which nothing is but the installed package. */
export interface Installation {
  /** Where a user would work. */
  folder: string
  /** The package's own folder, below `node_modules`. */
  home: string
  /** Bytes. */
  tarballSize: number
  environment: NodeJS.ProcessEnv
  /** Runs a program in the folder. @throws with its output when it fails */
  run(program: string, words: readonly string[]): Promise<{ stdout: string; stderr: string }>
  remove(): Promise<void>
}

/** Packs the repository, with the build that goes before, and installs the tarball as a user would. */
export async function installPackage(): Promise<Installation> {
  const place = await mkdtemp(join(tmpdir(), 'espalier-package-'))
  const folder = join(place, 'work')
  await mkdir(folder)
  // What npm says of the script that runs this test would be taken for the user's.
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|ESPALIER_|OPENAI_|NODE_OPTIONS|VITEST)/i.test(name),
  )
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const environment = { ...Object.fromEntries(own), PATH: path }
  const runIn = (cwd: string) => (program: string, words: readonly string[]) =>
    runFile(program, [...words], { cwd, env: environment, maxBuffer: 2 ** 26 })
  await runIn(root)('npm', ['pack', '--silent', '--pack-destination', place])
  const tarball = join(place, (await readdir(place)).find((name) => name.endsWith('.tgz')) ?? '')
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  await runIn(folder)('npm', ['install', tarball, ...quiet])
  return {
    folder,
    home: join(folder, 'node_modules/espalier'),
    tarballSize: (await stat(tarball)).size,
    environment,
    run: runIn(folder),
    remove: () => rm(place, { recursive: true, force: true }),
  }
}
