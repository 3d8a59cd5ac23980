// Builds the Python wheel with the service in it: the tarball of `npm pack`, installed with its packages, and the client.
// `node scripts/package/build-wheel.ts FOLDER` writes the wheel into the folder. It needs npm and the Python of
// ESPALIER_PYTHON (default: python3) with pip.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const [target = 'dist-python'] = process.argv.slice(2)
const out = resolve(target)
const place = mkdtempSync(join(tmpdir(), 'espalier-wheel-'))

try {
  const service = join(place, 'service')
  mkdirSync(service)
  const run = (program: string, words: string[], cwd: string, env = process.env) =>
    execFileSync(program, words, { cwd, env, stdio: ['ignore', 2, 2] })
  run('npm', ['pack', '--silent', '--pack-destination', place], root)
  const tarball = readdirSync(place).find((name) => name.endsWith('.tgz')) ?? ''
  writeFileSync(join(service, 'package.json'), '{ "private": true, "type": "module" }\n')
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  run('npm', ['install', join(place, tarball), '--omit=optional', '--ignore-scripts', ...quiet], service)
  const python = process.env.ESPALIER_PYTHON ?? 'python3'
  const options = ['--no-deps', '--quiet', '--disable-pip-version-check', '--wheel-dir', out]
  const environment = { ...process.env, ESPALIER_SERVICE: service }
  run(python, ['-m', 'pip', 'wheel', ...options, join(root, 'clients/python')], root, environment)
  for (const name of readdirSync(out).filter((each) => each.endsWith('.whl')))
    console.log(`${join(out, name)}: ${(statSync(join(out, name)).size / 1e6).toFixed(1)} MB`)
} finally {
  rmSync(place, { recursive: true, force: true })
}
