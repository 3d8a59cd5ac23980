import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, posix, relative } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { ownExports } from '../../shared/core/programs/own-package.ts'
import { definitions } from '../../shared/environments/environments.ts'
import { bundledInputs, bundlerSettings } from '../bundle-function.ts'
import { projectRoot } from '../bundling.ts'

// They read files of their own.
const wholePackages = ['playwright-core']

/**
 * Modules that another one starts or imports by a path that it computes. A bundle has an entry for each, at its path
 * of the repository.
 */
const startedBy: Readonly<Record<string, readonly string[]>> = {
  'shared/environments/added/isolate-module.ts': ['shared/environments/added/module-process.ts'],
  'containers/browser/serve-sites.ts': [
    'containers/sites/server/start-sites.ts',
    'containers/sites/server/storage-states.ts',
  ],
  'containers/env-host/agentgym/agentgym-servers.ts': definitions.map(
    ({ id }) => `shared/environments/${id}/host/agentgym.ts`,
  ),
  // Modules of users import these.
  'shared/core/programs/own-package.ts': [
    'shared/core/programs/own-package.ts',
    ...['espalier/environment', 'espalier/errors'].map((name) => `shared/${ownExports[name]}.ts`),
  ],
}

export interface BundledImage {
  /** The paths in the repository of the files whose code is in the bundle. */
  inputs: string[]
  modules: string[]
  packages: string[]
}

/**
 * Bundles an image's program with everything that it imports or starts, so that the image installs no packages.
 *
 * @param entry - its path in the repository; the bundle has it at the same path, with the extension `.mjs`
 */
export async function bundleImage(entry: string, out: string): Promise<BundledImage> {
  const settings = {
    ...bundlerSettings,
    absWorkingDir: projectRoot,
    outdir: projectRoot,
    outExtension: { '.js': bundleExtension },
    chunkNames: 'part-[hash]',
    banner: { js: `${bundlerSettings.banner.js};${rootBanner}` },
    external: [...bundlerSettings.external, ...wholePackages],
    plugins: [...bundlerSettings.plugins, keepPlaces(projectRoot)],
    metafile: true as const,
    write: false as const,
  }
  const first = await build({ ...settings, entryPoints: entriesOf([entry]) })
  const started = Object.keys(first.metafile.inputs).flatMap((path) => startedBy[path] ?? [])
  const entries = [entry, ...started.filter((path) => existsSync(join(projectRoot, path)))]
  const { outputFiles, metafile } = await build({ ...settings, entryPoints: entriesOf(entries) })
  await mkdir(out, { recursive: true })
  await Promise.all(outputFiles.map(({ path, contents }) => writeFile(join(out, basename(path)), contents)))
  await Promise.all(entries.map((path) => writeStub(out, path)))
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
  return {
    inputs: bundledInputs(metafile),
    modules: Object.keys(metafile.inputs).filter((path) => !path.startsWith('node_modules/')),
    packages: wholePackages.filter((name) => imported.includes(name)),
  }
}

function entriesOf(paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [flatName(path), path]))
}

function flatName(path: string): string {
  return path.replace(/\.ts$/, '').replaceAll('/', '-')
}

async function writeStub(out: string, source: string): Promise<void> {
  const file = bundledPath(source)
  await mkdir(join(out, dirname(file)), { recursive: true })
  const target = posix.relative(posix.dirname(file), `${flatName(source)}${bundleExtension}`)
  await writeFile(join(out, file), `export * from ${JSON.stringify(target)}\n`)
}

const bundleExtension = '.mjs'

const rootBanner = 'const bundleRoot = import.meta.dirname'

/**
 * Lets modules in a bundle find the files beside them: `import.meta` names the module's path of the repository, below
 * the bundle's root, instead of the file that holds its code.
 */
function keepPlaces(repository: string): Plugin {
  return {
    name: 'keep-places',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        if (!text.includes('import.meta.') || path.includes('node_modules')) return null
        const own = bundledPath(relative(repository, path))
        const prologue = [
          "import { dirname as placeFolder } from 'node:path'",
          "import { pathToFileURL as placeAddress } from 'node:url'",
          `const placeFile = bundleRoot + ${JSON.stringify(`/${own}`)}`,
        ].join(';')
        const placed = text
          .replaceAll('import.meta.filename', 'placeFile')
          .replaceAll('import.meta.dirname', 'placeFolder(placeFile)')
          .replaceAll('import.meta.url', 'placeAddress(placeFile).href')
        return { contents: `${prologue};${placed}`, loader: 'ts' }
      })
    },
  }
}

function bundledPath(source: string): string {
  return join(source.replace(/\.ts$/, bundleExtension))
}
