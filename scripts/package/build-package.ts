// `npm pack` runs this first. It writes `dist/`, the package's code. Node strips no types below node_modules, so each
// module used by the command, its workers, threads and hosts becomes JavaScript at the same path of the same tree,
// with the files that it reads beside it.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { makeSbom } from '../supply-chain/make-sbom.ts'

const root = join(import.meta.dirname, '../..')
const dist = join(root, 'dist')

const assets = ['cli/skill', 'clients/python/src', 'containers', 'functions/api/docs', 'shared/environments']
/** The sites run only from a clone: their pictures take half a megabyte. */
const leftOut = 'containers/sites'
const isAsset = (path: string) =>
  path !== leftOut &&
  !/\.(?:ts|data\.json)$|^Dockerfile/.test(basename(path)) &&
  basename(path) !== '__pycache__'

rmSync(dist, { recursive: true, force: true })
compile('tsconfig.json')
compile('tsconfig.types.json')
nameDeclarations()
for (const folder of assets) copyAssets(folder)
copyDashboard()
writeFileSync(join(dist, 'sbom.cdx.json'), `${JSON.stringify(makeSbom(root), null, 2)}\n`)
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(facts(), null, 2)}\n`)

function compile(configuration: string): void {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const made = spawnSync(process.execPath, [tsc, '-p', join(import.meta.dirname, configuration)], {
    stdio: ['ignore', 2, 2],
  })
  if (made.status !== 0) throw new Error(`tsc -p scripts/package/${configuration} failed.`)
}

/** The compiler rewrites only the imports of JavaScript: declarations still name sources, which the package lacks. */
function nameDeclarations(): void {
  for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.d.ts')) continue
    const text = readFileSync(join(dist, path), 'utf8')
    writeFileSync(join(dist, path), text.replaceAll(/((?:from |import\()["']\.[^"']*)\.ts(["'])/g, '$1.js$2'))
  }
}

function copyAssets(folder: string): void {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (!isAsset(path)) continue
    if (entry.isDirectory()) copyAssets(path)
    else cpSync(join(root, path), join(dist, path))
  }
}

/** Every browser reads gzip, so the brotli files stay out. */
function copyDashboard(): void {
  const pages = join(root, 'web/dist')
  if (!existsSync(join(pages, 'index.html'))) throw new Error('web/dist is not built: npm run build:web')
  const filter = (path: string) => !path.endsWith('.br') && !basename(path).startsWith('.')
  cpSync(pages, join(dist, 'web/dist'), { recursive: true, filter })
  cpSync(join(pages, '.vite/license.md'), join(dist, 'web/licenses.md'))
}

/** Declared free of side effects, so that bundlers omit unused schemas. */
function facts(): object {
  const { name, version, description, license, type } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  return { name, version, description, license, type, private: true, sideEffects: false }
}
