import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Aws, Duration, IgnoreMode, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
import { Platform } from 'aws-cdk-lib/aws-ecr-assets'
import {
  ContainerImage,
  CpuArchitecture,
  FargateTaskDefinition,
  LinuxParameters,
  LogDrivers,
  OperatingSystemFamily,
} from 'aws-cdk-lib/aws-ecs'
import type { IRole } from 'aws-cdk-lib/aws-iam'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { projectRoot } from './bundling.ts'

/** Size of a Fargate task: CPU units (1024 are one processor) and MiB of memory, a pair that Fargate offers. */
interface HostSize {
  cpu: number
  memory: number
  /** Writable folders, deleted with the task. */
  scratch: readonly string[]
}

const usual: HostSize = { cpu: 512, memory: 1024, scratch: [] }

/**
 * Images that need more than the default: each session of a simulator is a process, and one of ScienceWorld is a JVM.
 */
const sizes: Readonly<Record<string, HostSize>> = {
  scienceworld: { cpu: 1024, memory: 4096, scratch: ['/tmp'] },
  browser: { cpu: 2048, memory: 4096, scratch: ['/tmp'] },
  // A task holds one desktop: Fargate has no namespaces to keep several apart.
  desktop: { cpu: 2048, memory: 4096, scratch: ['/tmp', '/home/user'] },
  'alfworld-textworld': { cpu: 1024, memory: 4096, scratch: ['/tmp'] },
}

function hostSize(image: string): HostSize {
  return sizes[image] ?? usual
}

export interface HostImageProperties {
  image: string
  port: number
  stage: string
}

export class HostImage extends Construct {
  readonly image: string
  /** The definition's name without a revision: ECS runs the newest. */
  readonly family: string
  readonly definitions: string
  readonly roles: IRole[]

  constructor(scope: Construct, id: string, properties: HostImageProperties) {
    super(scope, id)
    const { image, port, stage } = properties
    const { cpu, memory, scratch } = hostSize(image)
    const { stackName, partition } = Stack.of(this)
    this.image = image
    this.family = `${stackName}-${image}`
    this.definitions = `arn:${partition}:ecs:${Aws.REGION}:${Aws.ACCOUNT_ID}:task-definition/${this.family}:*`
    const task = new FargateTaskDefinition(this, 'Task', {
      family: this.family,
      cpu,
      memoryLimitMiB: memory,
      runtimePlatform: {
        cpuArchitecture: CpuArchitecture.ARM64,
        operatingSystemFamily: OperatingSystemFamily.LINUX,
      },
    })
    const linuxParameters = new LinuxParameters(this, 'Linux', { initProcessEnabled: true })
    const container = task.addContainer('host', {
      image: ContainerImage.fromAsset(projectRoot, {
        file: join('containers', image, 'Dockerfile'),
        exclude: ignoredBy(image),
        ignoreMode: IgnoreMode.DOCKER,
        platform: Platform.LINUX_ARM64,
      }),
      logging: LogDrivers.awsLogs({
        streamPrefix: image,
        logGroup: new LogGroup(this, 'Logs', {
          logGroupName: `/espalier/${stage}/hosts/${image}`,
          retention: RetentionDays.ONE_MONTH,
          removalPolicy: RemovalPolicy.DESTROY,
        }),
      }),
      environment: { PORT: String(port), ESPALIER_HOST_BIND: '0.0.0.0', ESPALIER_HOST_LEAVE_SPENT: 'true' },
      portMappings: [{ containerPort: port }],
      user: '1000:1000',
      readonlyRootFilesystem: true,
      stopTimeout: Duration.seconds(60),
      linuxParameters,
    })
    for (const path of scratch) {
      const name = `scratch${path.replaceAll('/', '-')}`
      task.addVolume({ name })
      container.addMountPoints({ containerPath: path, sourceVolume: name, readOnly: false })
    }
    // A host has no permissions of its own.
    this.roles = [task.taskRole, task.obtainExecutionRole()]
    Validations.of(task).acknowledge({
      id: 'AwsSolutions-ECS2',
      reason: 'The variables say where it listens; none is a secret.',
    })
    Validations.of(task.obtainExecutionRole()).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'ecr:GetAuthorizationToken has no resource that a right could name.',
    })
  }
}

/** Paths of the repository that `Dockerfile.dockerignore` excludes: changes there do not rebuild the image. */
function ignoredBy(image: string): string[] {
  const path = join(projectRoot, 'containers', image, 'Dockerfile.dockerignore')
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
}
