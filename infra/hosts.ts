import { Aws, Stack, Validations } from 'aws-cdk-lib'
import { type ISecurityGroup, Peer, Port, SecurityGroup } from 'aws-cdk-lib/aws-ec2'
import { Cluster } from 'aws-cdk-lib/aws-ecs'
import { Effect } from 'aws-cdk-lib/aws-iam'
import { Construct } from 'constructs'
import { type FleetChanges, fleetChangesOf } from '../shared/environments/hosts/fleet-limits.ts'
import { hostPartitions } from '../shared/environments/hosts/host-row.ts'
import { deployedImages } from './deployed-images.ts'
import { everyMinute, rarelyBusy } from './every-minute.ts'
import type { FunctionInputs } from './function-inputs.ts'
import * as grants from './grants.ts'
import { HostImage } from './host-image.ts'
import { HostNetwork } from './host-network.ts'
import { ServiceFunction } from './service-function.ts'
import type { StageSettings } from './stage-settings.ts'

const hostPort = 8080

/**
 * The hosts' network and images, and the two functions that use them: `scale-hosts` starts and stops hosts, and
 * `call-host` is the only way to reach them.
 */
export class Hosts extends Construct {
  readonly cluster: Cluster
  readonly network: HostNetwork
  readonly members: SecurityGroup
  readonly port = hostPort
  readonly images: HostImage[]
  readonly callHost: ServiceFunction
  readonly scaleHosts: ServiceFunction

  constructor(scope: Construct, id: string, parts: FunctionInputs & { settings: StageSettings }) {
    super(scope, id)
    const network = new HostNetwork(this, 'Place', parts.settings)
    const { vpc } = network
    this.network = network
    const callers = new SecurityGroup(this, 'Callers', {
      vpc,
      description: 'The function that calls hosts',
      allowAllOutbound: false,
    })
    const members = new SecurityGroup(this, 'Members', {
      vpc,
      description: 'Hosts: called by one function, calling out over TLS',
      allowAllOutbound: false,
    })
    this.members = members
    members.addIngressRule(callers, Port.tcp(hostPort), 'Session calls')
    members.addEgressRule(Peer.anyIpv4(), Port.tcp(443), 'Images and logs')
    callers.addEgressRule(members, Port.tcp(hostPort), 'Session calls')
    callers.addEgressRule(Peer.anyIpv4(), Port.tcp(443), 'The ledger, through the gateway endpoint')

    this.cluster = new Cluster(this, 'Cluster', {
      clusterName: Stack.of(this).stackName,
      vpc,
      enableFargateCapacityProviders: true,
    })
    Validations.of(this.cluster).acknowledge({
      id: 'AwsSolutions-ECS4',
      reason:
        'scale-hosts counts hosts, their sessions and their ends; Container Insights would be paid by the host.',
    })
    this.images = deployedImages().map(
      (facts) =>
        new HostImage(this, facts.id, {
          facts,
          port: hostPort,
          stage: parts.stage,
          images: parts.settings.images,
        }),
    )
    this.callHost = new ServiceFunction(this, 'CallHost', 'call-host', {
      description: "Forwards a worker's call to the host that holds its session",
      // A host's longest answer, with a margin.
      timeout: 300,
      memory: 256,
      environment: parts.environment,
      network: { vpc, subnets: network.subnets, securityGroup: callers },
      failures: 'A worker invokes it and waits for its answer.',
      grants: [grants.lookUp(parts.storage.table, ['hosts']), ownInterfaces, notByItsCode(Stack.of(this))],
    })
    this.scaleHosts = this.#createScaler(parts, network, members)
    everyMinute(this, this.scaleHosts)
  }

  #createScaler(
    parts: FunctionInputs & { settings: StageSettings },
    network: HostNetwork,
    members: ISecurityGroup,
  ): ServiceFunction {
    const { cluster, images } = this
    const { partition } = Stack.of(this)
    const inCluster = { ArnEquals: { 'ecs:cluster': cluster.clusterArn } }
    const tasks = `arn:${partition}:ecs:${Aws.REGION}:${Aws.ACCOUNT_ID}:task/${cluster.clusterName}/*`
    const scaler = new ServiceFunction(this, 'ScaleHosts', 'scale-hosts', {
      description: 'Starts hosts when episodes wait for them, and stops them when none does',
      timeout: 55,
      memory: 256,
      environment: {
        ...parts.environment,
        ESPALIER_CALL_HOST: this.callHost.lambda.functionName,
        ESPALIER_HOSTS: Stack.of(this).toJsonString({
          cluster: cluster.clusterArn,
          subnets: network.subnets.map((subnet) => subnet.subnetId),
          public_addresses: network.hasPublicAddresses,
          security_group: members.securityGroupId,
          images: Object.fromEntries(images.map(({ facts, family }) => [facts.id, family])),
          port: hostPort,
        }),
        ESPALIER_FLEETS: JSON.stringify(fleetsOf(images, parts.settings.fleets)),
      },
      untraced: rarelyBusy,
      failures: 'The invocation of the next minute does what a failed one left.',
      grants: [
        grants.changeLedger(parts.storage.table, hostPartitions),
        // For health checks of hosts.
        { actions: ['lambda:InvokeFunction'], resources: [this.callHost.lambda.functionArn] },
        {
          actions: ['ecs:DescribeTasks', 'ecs:StopTask'],
          resources: [tasks],
          conditions: inCluster,
          wildcards: 'Tasks are named when they are started; all of this cluster are hosts.',
        },
        {
          actions: ['ecs:ListTasks'],
          resources: ['*'],
          conditions: inCluster,
          wildcards: 'The right is given by cluster, which is a condition and not a resource.',
        },
      ],
    })
    for (const { definitions, roles } of images) {
      scaler.may({
        actions: ['ecs:RunTask'],
        resources: [definitions],
        conditions: inCluster,
        wildcards: 'The newest revision of the definition is run, so that a deployment breaks no launch.',
      })
      scaler.may({
        actions: ['ecs:TagResource'],
        resources: [tasks],
        conditions: { StringEquals: { 'ecs:CreateAction': 'RunTask' } },
        wildcards: 'Tasks are named when they are started; tags are given only then.',
      })
      scaler.may({
        actions: ['iam:PassRole'],
        resources: roles.map((role) => role.roleArn),
        conditions: { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } },
      })
    }
    return scaler
  }
}

function fleetsOf(
  images: readonly HostImage[],
  settings: StageSettings['fleets'],
): Record<string, FleetChanges> {
  const changes = images.map(({ facts }) => [facts.id, fleetChangesOf(facts, settings?.[facts.id])] as const)
  return Object.fromEntries(changes.filter(([, each]) => Object.keys(each).length > 0))
}

const ownInterfaces: grants.Grant = {
  actions: [
    'ec2:CreateNetworkInterface',
    'ec2:DescribeNetworkInterfaces',
    'ec2:DescribeSubnets',
    'ec2:DeleteNetworkInterface',
    'ec2:AssignPrivateIpAddresses',
    'ec2:UnassignPrivateIpAddresses',
  ],
  resources: ['*'],
  wildcards:
    'Lambda makes the network interface on behalf of the function, and asks for these rights on all resources.',
}

function notByItsCode({ partition, stackName }: Stack): grants.Grant {
  const name = `arn:${partition}:lambda:${Aws.REGION}:${Aws.ACCOUNT_ID}:function:${stackName}-call-host`
  return {
    ...ownInterfaces,
    effect: Effect.DENY,
    conditions: { ArnEquals: { 'lambda:SourceFunctionArn': name } },
  }
}
