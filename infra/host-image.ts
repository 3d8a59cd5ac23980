import { Aws, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
import {
  CpuArchitecture,
  FargateTaskDefinition,
  LinuxParameters,
  LogDrivers,
  OperatingSystemFamily,
} from 'aws-cdk-lib/aws-ecs'
import type { IRole } from 'aws-cdk-lib/aws-iam'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { memoryVariable } from '../shared/core/programs/available-memory.ts'
import { type ImageFacts, usualHostSize } from '../shared/environments/image-facts.ts'
import { type BuiltImages, hostContainer } from './images/container-images.ts'

export interface HostImageProperties {
  facts: ImageFacts
  port: number
  stage: string
  images: BuiltImages | undefined
}

export class HostImage extends Construct {
  readonly facts: ImageFacts
  /** The definition's name without a revision: ECS runs the newest. */
  readonly family: string
  readonly definitions: string
  readonly roles: IRole[]

  constructor(scope: Construct, id: string, properties: HostImageProperties) {
    super(scope, id)
    const { facts, port, stage } = properties
    const { id: image, size = usualHostSize } = facts
    const { cpu, memory, scratch } = size
    const { stackName, partition } = Stack.of(this)
    this.facts = facts
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
      memoryLimitMiB: memory,
      image: hostContainer(this, facts, properties.images),
      logging: LogDrivers.awsLogs({
        streamPrefix: image,
        logGroup: new LogGroup(this, 'Logs', {
          logGroupName: `/espalier/${stage}/hosts/${image}`,
          retention: RetentionDays.ONE_MONTH,
          removalPolicy: RemovalPolicy.DESTROY,
        }),
      }),
      environment: {
        PORT: String(port),
        ESPALIER_HOST_BIND: '0.0.0.0',
        ESPALIER_HOST_LEAVE_SPENT: 'true',
        [memoryVariable]: String(memory),
        ESPALIER_STAGE: stage,
        ESPALIER_HOST_IMAGE: image,
      },
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
