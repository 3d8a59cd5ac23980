import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { AssetHashType, DockerImage } from 'aws-cdk-lib'
import { Code } from 'aws-cdk-lib/aws-lambda'
import type { BundledFiles } from './bundle-function.ts'

/** The repository. */
export const projectRoot = join(import.meta.dirname, '..')

/** What a bundle is made of: the input of `infra/bundle.ts`. */
export interface BundleRequest {
  /** The file that exports the handler. */
  entry: string
  /** The folder of the bundle. */
  out: string
  files: BundledFiles
}

/**
 * The code of a function, bundled when the app is synthesised. The bundler runs in a process of its own, because the CDK
 * waits for nothing.
 */
export function bundledCode(entry: string, files: BundledFiles): Code {
  return Code.fromAsset(projectRoot, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never used, since `tryBundle` does it; the CDK wants one.
      image: DockerImage.fromRegistry('none'),
      // Not a command either, but how the CDK distinguishes bundles: without it all functions would share the first.
      command: [entry, JSON.stringify(files)],
      local: {
        tryBundle(out) {
          const request: BundleRequest = { entry, out, files }
          const script = join(import.meta.dirname, 'bundle.ts')
          execFileSync(process.execPath, [script, JSON.stringify(request)], { stdio: 'inherit' })
          return true
        },
      },
    },
  })
}
