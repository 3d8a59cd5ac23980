import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Stack } from 'aws-cdk-lib'
import { Repository } from 'aws-cdk-lib/aws-ecr'
import { DockerImageAsset, Platform } from 'aws-cdk-lib/aws-ecr-assets'
import { ContainerImage } from 'aws-cdk-lib/aws-ecs'
import type { Construct } from 'constructs'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { ImageFacts } from '../../shared/environments/image-facts.ts'
import type { BundledFiles } from '../bundle-function.ts'
import { type BundleRequest, projectRoot } from '../bundling.ts'
import { copyDockerfile, writeTrainerContext } from './copied-contexts.ts'

export type BuiltImages = string | Readonly<Record<string, string>>

export function hostContainer(
  scope: Construct,
  { id, folder }: ImageFacts,
  images: BuiltImages | undefined,
): ContainerImage {
  if (images !== undefined) return builtContainer(scope, images, id)
  const asset = fromContext(scope, id, Platform.LINUX_ARM64, (out) => {
    if (Stack.of(scope).bundlingRequired) runScript('images/write-contexts.ts', [join(out, '..'), id])
    else copyDockerfile(folder, out)
  })
  return ContainerImage.fromDockerImageAsset(asset)
}

/**
 * The image of long-lived workers: a bundle as for functions, with the stage's endpoints. It is a few megabytes, so
 * tasks start fast.
 */
export function workerContainer(
  scope: Construct,
  files: BundledFiles,
  images: BuiltImages | undefined,
): ContainerImage {
  if (images !== undefined) return builtContainer(scope, images, 'worker')
  const asset = fromContext(scope, 'worker', Platform.LINUX_ARM64, (out) => {
    const entry = join(projectRoot, 'functions', 'aws', 'worker', 'worker-process.ts')
    const request: BundleRequest = { entry, out, files, image: 'worker' }
    copyDockerfile('containers/worker', out)
    if (Stack.of(scope).bundlingRequired) runScript('bundle.ts', [JSON.stringify(request)])
  })
  return ContainerImage.fromDockerImageAsset(asset)
}

function builtContainer(scope: Construct, images: BuiltImages, id: string): ContainerImage {
  const address = typeof images === 'string' ? images.replaceAll('{image}', id) : images[id]
  if (address === undefined) throw new EspalierError('invalid_request', `--images lacks the image "${id}".`)
  const ecr = /^(\d{12})\.dkr\.ecr\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?\/([^:@]+)[:@](.+)$/.exec(address)
  if (ecr === null) return ContainerImage.fromRegistry(address)
  const [, account, region, repositoryName = '', tag] = ecr
  const repositoryArn = `arn:${Stack.of(scope).partition}:ecr:${region}:${account}:repository/${repositoryName}`
  // By its repository, so that the task may pull it.
  const repository = Repository.fromRepositoryAttributes(scope, 'Repository', {
    repositoryArn,
    repositoryName,
  })
  return ContainerImage.fromEcrRepository(repository, tag)
}

// SageMaker's GPU machines have x86 processors.
export function trainerAsset(scope: Construct): DockerImageAsset {
  return fromContext(scope, 'trainer', Platform.LINUX_AMD64, writeTrainerContext)
}

// The CDK copies the folder into its output at once.
function fromContext(
  scope: Construct,
  id: string,
  platform: Platform,
  write: (out: string) => void,
): DockerImageAsset {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-image-'))
  try {
    const directory = join(folder, id)
    mkdirSync(directory)
    write(directory)
    return new DockerImageAsset(scope, 'Image', { directory, platform })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

// The CDK awaits no promises.
export function runScript(
  script: string,
  words: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): void {
  execFileSync(process.execPath, [join(import.meta.dirname, '..', script), ...words], {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
