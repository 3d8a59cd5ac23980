import { copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import type { BundleRequest } from './bundling.ts'

/**
 * zod has messages in fifty languages, and every import of `z` loads them all: a quarter of a small bundle. We need
 * English only.
 */
const leaveOutLocales: Plugin = {
  name: 'leave-out-locales',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js'",
    }))
  },
}

const projectFolder = join(import.meta.dirname, '..')

// The code reads only these fields of `package.json`. Scripts and dependencies are most of the file.
const leaveOutScripts: Plugin = {
  name: 'leave-out-scripts',
  setup(build) {
    build.onLoad({ filter: /[\\/]package\.json$/ }, async ({ path }) => {
      if (dirname(path) !== projectFolder) return null
      const { name, version, description } = JSON.parse(await readFile(path, 'utf8'))
      return { contents: JSON.stringify({ name, version, description }), loader: 'json' }
    })
  },
}

// A map of the first position only: such a file then adds almost nothing to the map of the bundle.
const emptyMap = Buffer.from('{"version":3,"sources":["package"],"mappings":"AAAA"}').toString('base64')

// Packages are nine tenths of a map, and the names in their stack frames say enough.
const leaveOutMapsOfPackages: Plugin = {
  name: 'leave-out-maps-of-packages',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => ({
      contents: `${await readFile(path, 'utf8')}\n//# sourceMappingURL=data:application/json;base64,${emptyMap}`,
      loader: 'js',
    }))
  },
}

const installed = createRequire(import.meta.url)

async function packDocs(out: string): Promise<void> {
  const swagger = dirname(installed.resolve('swagger-ui-dist/package.json'))
  const own = join(import.meta.dirname, '../functions/api/docs')
  const sources = [
    ...['page.html', 'start-docs.js'].map((name) => join(own, name)),
    ...['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'].map((name) => join(swagger, name)),
  ]
  await mkdir(join(out, 'docs'), { recursive: true })
  for (const source of sources) {
    const packed = gzipSync(await readFile(source), { level: 9 })
    await writeFile(join(out, 'docs', `${basename(source)}.gz`), packed)
  }
}

// Copies the built dashboard without hidden and compressed files, because CloudFront compresses by itself. `packed`
// keeps those that every browser reads.
async function copyPages(pages: string, out: string, packed: boolean): Promise<void> {
  const left = packed ? /\.gz$/ : /\.(?:br|gz)$/
  const isPage = (path: string) => !left.test(path) && !basename(path).startsWith('.')
  await cp(pages, join(out, 'pages'), { recursive: true, filter: isPage })
}

export interface BundledFiles {
  endpoints?: string | null
  environments?: string | null
  docs?: boolean
  pages?: string
  packed?: boolean
}

// CommonJS packages call `require` for Node's own modules, which ES modules lack.
const banner = [
  "import { createRequire as createRequireOfBundle } from 'node:module'",
  'const require = createRequireOfBundle(import.meta.url)',
].join(';')

/**
 * Settings for every function: one ES module that includes the AWS clients, so the tested code is the deployed code.
 * Dynamic imports become files of their own, read on first use. A map beside each file leads stack traces to our
 * sources: for `api` 1.9 MB beside 8.3 MB of code, 7 MB of memory and 10 ms at its start. Kept names, which make
 * frames of packages readable, cost a twentieth.
 */
export const bundlerSettings = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  splitting: true,
  minify: true,
  keepNames: true,
  charset: 'utf8',
  sourcemap: 'linked',
  sourcesContent: false,
  mainFields: ['module', 'main'],
  banner: { js: banner },
  logLevel: 'warning',
  // Larger than everything else together. The deployment refuses endpoints that would need it.
  external: ['@azure/identity'],
  // As Node bundles undici for itself: without the second of its two parsers.
  define: { esbuildDetection: 'true' },
  plugins: [leaveOutLocales, leaveOutScripts, leaveOutMapsOfPackages],
} satisfies BuildOptions

/**
 * Files that start threads or processes, with the modules that these run. Each module becomes a file beside the code.
 */
const threadModules: Record<string, string> = {
  'functions/aws/worker/alone-player.ts': 'functions/aws/worker/alone-process.ts',
  'shared/play/sandbox/open-sandbox.ts': 'shared/play/sandbox/sandbox-thread.ts',
  'shared/learn/tokenizers/tokenizer-pool.ts': 'shared/learn/tokenizers/tokenizer-process.ts',
}

/** @returns the paths in the repository of the files whose code is in the bundle */
export async function bundleFunction({ entry, out, files }: BundleRequest): Promise<string[]> {
  const settings = {
    ...bundlerSettings,
    absWorkingDir: projectFolder,
    // Written as if here: maps name sources by their paths in the repository, whatever the bundle's folder.
    outdir: projectFolder,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'part-[hash]',
  }
  const first = await build({ ...settings, entryPoints: { index: entry }, metafile: true, write: false })
  const threads = Object.entries(threadModules)
    .filter(([starter]) => starter in first.metafile.inputs)
    .map(([, module]) => [basename(module, '.ts'), join(projectFolder, module)])
  const { outputFiles, metafile } =
    threads.length === 0
      ? first
      : await build({
          ...settings,
          entryPoints: { index: entry, ...Object.fromEntries(threads) },
          metafile: true,
          write: false,
        })
  await mkdir(out, { recursive: true })
  await Promise.all(outputFiles.map(({ path, contents }) => writeFile(join(out, basename(path)), contents)))
  if (files.endpoints) await copyFile(files.endpoints, join(out, 'endpoints.json'))
  if (files.environments) await copyFile(files.environments, join(out, 'environments.json'))
  if (files.docs) await packDocs(out)
  if (files.pages !== undefined) await copyPages(files.pages, out, files.packed === true)
  return bundledInputs(metafile)
}

export function bundledInputs({ outputs }: Metafile): string[] {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  )
}
