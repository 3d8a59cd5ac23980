import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { AssetHashType, DockerImage } from 'aws-cdk-lib'
import { Code } from 'aws-cdk-lib/aws-lambda'
import type { BundledFiles } from './bundle-function.ts'

export const projectRoot = join(import.meta.dirname, '..')

export interface BundleRequest {
  entry: string
  out: string
  files: BundledFiles
  /** The image that is built from the bundle, which gets a bill of materials. */
  image?: string
}

/** Bundles a function during synthesis, in a process of its own because the CDK does not await promises. */
export function bundledCode(entry: string, files: BundledFiles): Code {
  return Code.fromAsset(projectRoot, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Required by the CDK and never used: `tryBundle` bundles.
      image: DockerImage.fromRegistry('none'),
      // Not a command. The CDK identifies bundles by it: without it all functions would share the first.
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
