import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Stack } from 'aws-cdk-lib'
import { Platform } from 'aws-cdk-lib/aws-ecr-assets'
import { ContainerImage } from 'aws-cdk-lib/aws-ecs'
import type { Construct } from 'constructs'
import type { BundledFiles } from './bundle-function.ts'
import { type BundleRequest, projectRoot } from './bundling.ts'

const entry = join(projectRoot, 'functions', 'aws', 'worker', 'worker-process.ts')
const dockerfile = join(projectRoot, 'containers', 'worker', 'Dockerfile')

/**
 * The image of long-lived workers: a bundle as for functions, with the stage's endpoints. It is a few megabytes, so
 * tasks start fast.
 */
export function workerImage(scope: Construct, files: BundledFiles): ContainerImage {
  const out = mkdtempSync(join(tmpdir(), 'espalier-worker-'))
  copyFileSync(dockerfile, join(out, 'Dockerfile'))
  if (Stack.of(scope).bundlingRequired) {
    const request: BundleRequest = { entry, out, files }
    execFileSync(process.execPath, [join(import.meta.dirname, 'bundle.ts'), JSON.stringify(request)], {
      stdio: 'inherit',
    })
  }
  return ContainerImage.fromAsset(out, { platform: Platform.LINUX_ARM64 })
}
