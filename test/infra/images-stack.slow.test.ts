import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { deployedImages } from '../../infra/deployed-images.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { describeStack, type Resource, type Synthesised, synthesise, synthesiseStacks } from './synthesise.ts'

const digestOf = (id: string) => `sha256:${Buffer.from(id.padEnd(32, '.')).toString('hex')}`
const repository = '123456789012.dkr.ecr.us-east-1.amazonaws.com/espalier-dev-images'
const ids = [...deployedImages().map(({ id }) => id), 'worker']
let images: Synthesised

beforeAll(async () => {
  const stacks = await synthesiseStacks({ buildInAccount: 'true', maxWorkers: '4' })
  const stack = stacks.find(({ stackName }) => stackName === 'espalier-dev-images')
  if (stack === undefined) throw new Error('There is no stack of images.')
  images = describeStack(stack)
})

function only(type: string): Resource {
  const [one, ...others] = images.ofType(type)
  if (one === undefined || others.length > 0) throw new Error(`There is not one ${type}.`)
  return one
}

describe('a stage whose images are built in the account', () => {
  test('has one project for ARM with Docker, whose sources are an asset, and which logs', () => {
    expect(only('AWS::CodeBuild::Project').Properties).toMatchObject({
      Name: 'espalier-dev-images',
      Environment: { Type: 'ARM_CONTAINER', PrivilegedMode: true },
      Source: { Type: 'S3', Location: expect.anything() },
      Artifacts: { Type: 'NO_ARTIFACTS' },
      LogsConfig: { CloudWatchLogs: { Status: 'ENABLED' } },
      TimeoutInMinutes: 120,
    })
    expect(JSON.stringify(only('AWS::CodeBuild::Project').Properties.Source)).toContain('assets')
    expect(only('AWS::Logs::LogGroup').Properties).toMatchObject({
      LogGroupName: '/espalier/dev/images',
      RetentionInDays: 30,
    })
  })

  test('lets it write to its repository, its log and nothing else', () => {
    const statements = images
      .ofType('AWS::IAM::Policy')
      .flatMap(({ Properties }) => (Properties.PolicyDocument as { Statement: Statement[] }).Statement)
    expect(statements).toHaveLength(5)
    for (const { Action, Resource } of statements) {
      const actions = [Action].flat().join()
      expect(actions).not.toContain('*')
      const [named] = ['Repository', 'Logs', 'assets'].filter((name) =>
        JSON.stringify(Resource).includes(name),
      )
      if (Resource === '*') expect(actions).toBe('ecr:GetAuthorizationToken')
      else if (named === 'assets') expect(actions).toMatch(/^s3:Get\w+,s3:Get\w+$/)
      else expect(actions).toMatch(named === 'Logs' ? /^(logs:\w+,?)+$/ : /^(ecr:\w+,?)+$/)
    }
    expect(only('AWS::ECR::Repository').Properties).toMatchObject({ EmptyOnDelete: true })
  })

  test('forgets no image that a stage still runs after some failed deployments', () => {
    const { LifecyclePolicy } = only('AWS::ECR::Repository').Properties as {
      LifecyclePolicy: { LifecyclePolicyText: string }
    }
    const { rules } = JSON.parse(LifecyclePolicy.LifecyclePolicyText) as {
      rules: { selection: { tagPrefixList: string[]; countNumber: number } }[]
    }
    expect(rules.flatMap(({ selection }) => selection.tagPrefixList).sort()).toEqual(
      ids.map((id) => `${id}.`).sort(),
    )
    for (const { selection } of rules) expect(selection.countNumber).toBe(10)
  })

  test('runs each image by its digest, may pull it, and does not remember it', async () => {
    const addresses = Object.fromEntries(ids.map((id) => [id, `${repository}@${digestOf(id)}`]))
    const stage = await synthesise({
      buildInAccount: 'true',
      maxWorkers: '4',
      images: JSON.stringify(addresses),
    })
    const run = JSON.stringify(stage.ofType('AWS::ECS::TaskDefinition'))
    for (const id of ids) expect(run).toContain(`@${digestOf(id)}`)
    expect(run).not.toContain('cdk-hnb659fds-container-assets')
    expect(JSON.stringify(stage.ofType('AWS::IAM::Policy'))).toContain('repository/espalier-dev-images')
    const options = stage
      .ofType('AWS::SSM::Parameter')
      .find(({ Properties }) => Properties.Name === '/espalier/dev/options')
    expect(JSON.parse(String(options?.Properties.Value))).toEqual({ buildInAccount: 'true', maxWorkers: '4' })
    const { worker: _, ...missing } = addresses
    await expect(
      synthesise({ buildInAccount: 'true', maxWorkers: '4', images: JSON.stringify(missing) }),
    ).rejects.toThrow('--images lacks the image "worker"')
  })

  test('has no stack of images without hosts, which need none', async () => {
    const stacks = await synthesiseStacks({ buildInAccount: 'true', hosts: 'false' })
    expect(stacks.map(({ stackName }) => stackName)).not.toContain('espalier-dev-images')
  })
})

interface Statement {
  Action: string | string[]
  Resource: unknown
}

describe('the script of a build', () => {
  // Runs it over a repository that has some tags, with programs in place of `aws` and `docker`.
  async function run(has: readonly string[], failing = '') {
    const folder = await temporaryFolder()
    const programs = join(folder, 'programs')
    await mkdir(programs)
    await writeFile(join(folder, 'tags'), has.map((tag) => `${tag}\n`).join(''))
    await writeFile(join(folder, 'images.txt'), 'env-host env-host.1\nworker worker.2\n')
    await copyFile(join(import.meta.dirname, '../../infra/images/build-images.sh'), join(folder, 'build.sh'))
    const tagged = 'sed "s/.*imageTag=//; s/ .*//"'
    const aws = `case "$2" in
  get-login-password) echo password ;;
  *) tag=$(echo "$*" | ${tagged}); grep -qx "$tag" tags || { echo ImageNotFound >&2; exit 254; }; echo "sha256:$tag" ;;
esac`
    const docker = `echo "$*" >> docker.txt
case "$1" in
  login) grep -qx password ;;
  build) [ "$4" != "${failing}" ] ;;
  push) echo "\${2##*:}" >> tags ;;
esac`
    for (const [name, text] of Object.entries({ aws, docker })) {
      await writeFile(join(programs, name), `#!/bin/sh\n${text}\n`)
      await chmod(join(programs, name), 0o755)
    }
    const environment = { PATH: `${programs}:${process.env.PATH}`, REPOSITORY: repository }
    const ended = promisify(execFile)('sh', ['build.sh'], { cwd: folder, env: environment })
    const code = await ended.then(
      () => 0,
      (error: { code: number }) => error.code,
    )
    const read = (name: string) => readFile(join(folder, name), 'utf8')
    return { code, docker: (await read('docker.txt')).trim().split('\n'), built: await read('built.txt') }
  }

  test('builds and pushes the images that the repository lacks, and names the digest of each', async () => {
    const { code, docker, built } = await run(['env-host.1'])
    expect(code).toBe(0)
    expect(docker).toEqual([
      'login --username AWS --password-stdin 123456789012.dkr.ecr.us-east-1.amazonaws.com',
      `build --tag ${repository}:worker.2 worker`,
      `push ${repository}:worker.2`,
    ])
    expect(built).toBe('env-host=sha256:env-host.1\nworker=sha256:worker.2\n')
  })

  test('ends with a failure at the first image that cannot be built', async () => {
    const { code, docker } = await run([], 'env-host')
    expect(code).not.toBe(0)
    expect(docker.filter((line) => line.startsWith('push'))).toEqual([])
    expect(docker.filter((line) => line.startsWith('build'))).toHaveLength(1)
  })
})
