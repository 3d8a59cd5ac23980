import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { copyPages, packDocs } from './bundled-files.ts'
import type { BundleRequest } from './bundling.ts'
import { leaveOutLocales } from './leave-out-locales.ts'

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

const projectFolder = join(import.meta.dirname, '..')

/** Packages written for CommonJS ask for Node's own modules by `require`, which ES modules lack. */
const banner = [
  "import { createRequire as createRequireOfBundle } from 'node:module'",
  'const require = createRequireOfBundle(import.meta.url)',
].join(';')

/**
 * How every function is bundled: an ES module with everything in it, the AWS clients too, so that what was tested is what
 * runs. What is imported at run time becomes a file of its own, which is read only when it is needed. Source maps would be
 * larger than the code (3.3 MB beside 2.4 MB) and slow each start by a tenth; names, which make a stack readable, cost a
 * twentieth.
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
  mainFields: ['module', 'main'],
  banner: { js: banner },
  logLevel: 'warning',
  // Larger than everything else together; the deployment refuses endpoints that would need it.
  external: ['@azure/identity'],
  // As Node bundles undici for itself: without the second of its two parsers.
  define: { esbuildDetection: 'true' },
  plugins: [leaveOutLocales],
} satisfies BuildOptions

/** Files of the code that start threads, and the modules that these threads run: each becomes a file beside the code. */
const threadModules: Record<string, string> = {
  'shared/sandbox/open-sandbox.ts': 'shared/sandbox/sandbox-thread.ts',
}

/** Bundles a function into a folder from which it runs without anything else. */
export async function bundleFunction({ entry, out, files }: BundleRequest): Promise<void> {
  const settings = {
    ...bundlerSettings,
    absWorkingDir: projectFolder,
    outdir: out,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'part-[hash]',
  }
  const first = await build({ ...settings, entryPoints: { index: entry }, metafile: true, write: false })
  const threads = Object.entries(threadModules)
    .filter(([starter]) => starter in first.metafile.inputs)
    .map(([, module]) => [basename(module, '.ts'), join(projectFolder, module)])
  if (threads.length === 0) {
    await mkdir(out, { recursive: true })
    await Promise.all(first.outputFiles.map(({ path, contents }) => writeFile(path, contents)))
  } else await build({ ...settings, entryPoints: { index: entry, ...Object.fromEntries(threads) } })
  if (files.endpoints) await copyFile(files.endpoints, join(out, 'endpoints.json'))
  if (files.environments) await copyFile(files.environments, join(out, 'environments.json'))
  if (files.docs) await packDocs(out)
  if (files.pages !== undefined) await copyPages(files.pages, out)
}
