import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch'
import { type IVpc, Peer, Port, SecurityGroup } from 'aws-cdk-lib/aws-ec2'
import {
  CpuArchitecture,
  FargateService,
  FargateTaskDefinition,
  LinuxParameters,
  LogDrivers,
  OperatingSystemFamily,
} from 'aws-cdk-lib/aws-ecs'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { memoryVariable } from '../shared/core/programs/available-memory.ts'
import type { FunctionInputs } from './function-inputs.ts'
import { giveTo } from './grants.ts'
import type { Hosts } from './hosts.ts'
import { type BuiltImages, workerContainer } from './images/container-images.ts'
import type { LastingEpisodes } from './lasting-episodes.ts'
import { OnDemandWorkers } from './on-demand-workers.ts'
import { playerGrants } from './player-grants.ts'
import { scalableTarget, scaleWorkers } from './scale-workers.ts'
import { workerSize } from './worker-size.ts'

export interface WorkersProperties extends FunctionInputs {
  lasting: LastingEpisodes
  hosts: Hosts
  maxWorkers: number
  images: BuiltImages | undefined
}

/**
 * Long-lived workers: Fargate Spot tasks that each play hundreds of episodes while models answer, scaled from zero to
 * `maxWorkers`, and the same tasks on demand if Spot places none. They accept no connections. Public addresses for outbound traffic cost a tenth of a NAT gateway. They
 * call hosts in their network.
 */
export class Workers extends Construct {
  readonly service: FargateService
  readonly unplaced: Alarm

  constructor(scope: Construct, id: string, parts: WorkersProperties) {
    super(scope, id)
    const { hosts, lasting, maxWorkers } = parts
    const { queue } = lasting
    const { stackName } = Stack.of(this)
    const task = this.#define(parts)
    const group = this.#secure(hosts.cluster.vpc, hosts)
    const shared = {
      cluster: hosts.cluster,
      taskDefinition: task,
      assignPublicIp: hosts.network.hasPublicAddresses,
      vpcSubnets: { subnets: hosts.network.subnets },
      securityGroups: [group],
      // A deployment starts new tasks beside the old. A failed one is not retried forever.
      minHealthyPercent: 0,
      maxHealthyPercent: 200,
      circuitBreaker: { rollback: false },
      enableECSManagedTags: true,
    }
    this.service = new FargateService(this, 'Service', {
      ...shared,
      serviceName: `${stackName}-workers`,
      // The first task shows that the image runs. After 15 minutes without work it stops.
      capacityProviderStrategies: [{ capacityProvider: 'FARGATE_SPOT', weight: 1 }],
    })
    // Otherwise CloudFormation may create or delete a service while the cluster lacks its capacity providers.
    this.service.node.addDependency(hosts.cluster)
    scaleWorkers(this, { service: this.service, queue, maxWorkers })
    // ECS has no fallback of its own, so a second service has the same task on demand.
    const fallback = new Construct(this, 'OnDemand')
    const onDemand = new FargateService(fallback, 'Service', {
      ...shared,
      serviceName: `${stackName}-workers-on-demand`,
      desiredCount: 0,
      capacityProviderStrategies: [{ capacityProvider: 'FARGATE', weight: 1 }],
    })
    onDemand.node.addDependency(hosts.cluster)
    const target = scalableTarget(fallback, { service: onDemand, maxWorkers })
    this.unplaced = new OnDemandWorkers(fallback, 'Scaling', {
      target,
      spot: this.service,
      queue,
      maxWorkers,
    }).started
  }

  #secure(vpc: IVpc, hosts: Hosts): SecurityGroup {
    const group = new SecurityGroup(this, 'Group', {
      vpc,
      description: 'Long-lived workers: called by nothing, calling out over TLS and to hosts',
      allowAllOutbound: false,
    })
    group.addEgressRule(Peer.anyIpv4(), Port.tcp(443), 'Models, queues and the stage')
    group.addEgressRule(hosts.members, Port.tcp(hosts.port), 'Session calls')
    hosts.members.addIngressRule(group, Port.tcp(hosts.port), 'Session calls of workers')
    return group
  }

  #define({
    endpoints,
    environment,
    environments,
    images,
    lasting,
    queues,
    stage,
    storage,
  }: WorkersProperties) {
    const { alone, episodes } = queues.queues
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('ecs-tasks.amazonaws.com') })
    const mayDo = playerGrants(this, {
      stage,
      storage,
      takes: [lasting.queue, alone.queue],
      sends: [lasting.queue, alone.queue, episodes.queue],
    })
    for (const grant of mayDo) giveTo(role, grant)
    const task = new FargateTaskDefinition(this, 'Task', {
      family: `${Stack.of(this).stackName}-worker`,
      cpu: workerSize.cpu,
      memoryLimitMiB: workerSize.memory,
      taskRole: role,
      runtimePlatform: {
        cpuArchitecture: CpuArchitecture.ARM64,
        operatingSystemFamily: OperatingSystemFamily.LINUX,
      },
    })
    task.addContainer('worker', {
      // Without a limit the container sees the microVM, about twice the task, and the kernel kills it at the task's size.
      memoryLimitMiB: workerSize.memory,
      image: workerContainer(this, { endpoints, environments }, images),
      logging: LogDrivers.awsLogs({
        streamPrefix: 'worker',
        logGroup: new LogGroup(this, 'Logs', {
          logGroupName: `/espalier/${stage}/workers`,
          retention: RetentionDays.ONE_MONTH,
          removalPolicy: RemovalPolicy.DESTROY,
        }),
      }),
      environment: {
        ...environment,
        ESPALIER_PLACES: String(workerSize.places),
        [memoryVariable]: String(workerSize.memory),
      },
      user: '1000:1000',
      readonlyRootFilesystem: true,
      // Spot's notice period, and Fargate's maximum.
      stopTimeout: Duration.seconds(120),
      linuxParameters: new LinuxParameters(this, 'Linux', { initProcessEnabled: true }),
    })
    Validations.of(task).acknowledge({
      id: 'AwsSolutions-ECS2',
      reason: 'The variables name the table, the bucket and the queues; none is a secret.',
    })
    Validations.of(task.obtainExecutionRole()).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'ecr:GetAuthorizationToken has no resource that a right could name.',
    })
    return task
  }
}
