import { copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import type { BundleRequest } from './bundling.ts'

/**
 * zod carries its messages in fifty languages, and every import of `z` imports them all: a quarter of a small bundle. We
 * speak English only.
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

/** Code asks the project's own `package.json` for these facts alone; its scripts and dependencies are most of it. */
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

/** A map of the first position alone: nearly all of such a file has then no place in the map of the bundle. */
const emptyMap = Buffer.from('{"version":3,"sources":["package"],"mappings":"AAAA"}').toString('base64')

/** Packages are nine tenths of a map, and their frames in a stack say enough by their names. */
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

/** The pages of `/docs`, packed here, since the larger of them would be too slow to pack at each request. */
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

/** The dashboard as it was built, without the packed forms that the local service sends: CloudFront packs by itself. */
async function copyPages(pages: string, out: string): Promise<void> {
  const isPage = (path: string) => !/\.(?:br|gz)$/.test(path) && !basename(path).startsWith('.')
  await cp(pages, join(out, 'pages'), { recursive: true, filter: isPage })
}

/** The files that a function reads at run time beside its code. */
export interface BundledFiles {
  /** The endpoints of the models, where the deployer has any. */
  endpoints?: string | null
  /** The environments that the deployer added. */
  environments?: string | null
  /** The pages of `/docs`. */
  docs?: boolean
  /** The folder of the built dashboard. */
  pages?: string
}

/** Packages written for CommonJS ask for Node's own modules by `require`, which ES modules lack. */
const banner = [
  "import { createRequire as createRequireOfBundle } from 'node:module'",
  'const require = createRequireOfBundle(import.meta.url)',
].join(';')

/**
 * How every function is bundled: an ES module with everything in it, the AWS clients too, so that what was tested is what
 * runs. What is imported at run time becomes a file of its own, which is read only when it is needed. A map beside each file
 * leads a stack to lines of our sources: of `api` 1.9 MB beside 8.3 MB of code, 7 MB of memory and a hundredth of a second at
 * its start. Names, which make frames of packages readable, cost a twentieth.
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
  // Larger than everything else together; the deployment refuses endpoints that would need it.
  external: ['@azure/identity'],
  // As Node bundles undici for itself: without the second of its two parsers.
  define: { esbuildDetection: 'true' },
  plugins: [leaveOutLocales, leaveOutScripts, leaveOutMapsOfPackages],
} satisfies BuildOptions

/** Files of the code that start threads or processes, and the modules that these run: each becomes a file beside the code. */
const threadModules: Record<string, string> = {
  'functions/aws/worker/alone-player.ts': 'functions/aws/worker/alone-process.ts',
  'shared/sandbox/open-sandbox.ts': 'shared/sandbox/sandbox-thread.ts',
  'shared/tokenizers/tokenizer-pool.ts': 'shared/tokenizers/tokenizer-process.ts',
}

/** Bundles a function into a folder from which it runs without anything else. */
export async function bundleFunction({ entry, out, files }: BundleRequest): Promise<void> {
  const settings = {
    ...bundlerSettings,
    absWorkingDir: projectFolder,
    // As if it were written here: maps name sources by their places in the repository, wherever the bundle lies.
    outdir: projectFolder,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'part-[hash]',
  }
  const first = await build({ ...settings, entryPoints: { index: entry }, metafile: true, write: false })
  const threads = Object.entries(threadModules)
    .filter(([starter]) => starter in first.metafile.inputs)
    .map(([, module]) => [basename(module, '.ts'), join(projectFolder, module)])
  const { outputFiles } =
    threads.length === 0
      ? first
      : await build({
          ...settings,
          entryPoints: { index: entry, ...Object.fromEntries(threads) },
          write: false,
        })
  await mkdir(out, { recursive: true })
  await Promise.all(outputFiles.map(({ path, contents }) => writeFile(join(out, basename(path)), contents)))
  if (files.endpoints) await copyFile(files.endpoints, join(out, 'endpoints.json'))
  if (files.environments) await copyFile(files.environments, join(out, 'environments.json'))
  if (files.docs) await packDocs(out)
  if (files.pages !== undefined) await copyPages(files.pages, out)
}
