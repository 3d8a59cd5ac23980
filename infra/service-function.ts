import { join } from 'node:path'
import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
import type { ISecurityGroup, ISubnet, IVpc } from 'aws-cdk-lib/aws-ec2'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  Architecture,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import type { BundledFiles } from './bundle-function.ts'
import { bundledCode, projectRoot } from './bundling.ts'
import { type FunctionName, selfFeeding } from './function-names.ts'
import { type Grant, giveTo } from './grants.ts'

export interface ServiceFunctionProperties {
  description: string
  /** Seconds. */
  timeout: number
  /** Megabytes. The processor share grows with them. */
  memory: number
  environment: Record<string, string>
  files?: BundledFiles
  grants: Grant[]
  network?: { vpc: IVpc; subnets: ISubnet[]; securityGroup: ISecurityGroup }
  /** The reason to record no traces. Without one, X-Ray records them. */
  untraced?: string
  failures: string
}

export class ServiceFunction extends Construct {
  readonly name: FunctionName
  readonly lambda: LambdaFunction
  readonly feedsItself: boolean
  readonly #role: Role

  constructor(scope: Construct, id: string, name: FunctionName, properties: ServiceFunctionProperties) {
    super(scope, id)
    this.name = name
    this.feedsItself = selfFeeding.has(name)
    const functionName = `${Stack.of(this).stackName}-${name}`
    const { untraced } = properties
    const logGroup = new LogGroup(this, 'Logs', {
      logGroupName: `/aws/lambda/${functionName}`,
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    this.#role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    this.lambda = new LambdaFunction(this, 'Function', {
      functionName,
      description: properties.description,
      code: bundledCode(join(projectRoot, 'functions', name, 'handler.ts'), properties.files ?? {}),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      timeout: Duration.seconds(properties.timeout),
      memorySize: properties.memory,
      environment: { NODE_OPTIONS: '--enable-source-maps', ...properties.environment },
      role: this.#role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      ...(this.feedsItself && { recursiveLoop: RecursiveLoop.ALLOW }),
      tracing: untraced === undefined ? Tracing.ACTIVE : Tracing.DISABLED,
      ...(properties.network && {
        vpc: properties.network.vpc,
        securityGroups: [properties.network.securityGroup],
        vpcSubnets: { subnets: properties.network.subnets },
        // It gets no public address, so the internet gateway carries none of its traffic.
        allowPublicSubnet: true,
      }),
    })
    this.may({
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logGroup.logGroupArn],
      wildcards: 'The streams of its own log group, which Lambda names.',
    })
    if (untraced === undefined) {
      Validations.of(this.#role).acknowledge({
        id: 'AwsSolutions-IAM5[Resource::*]',
        reason: 'X-Ray has no resources that a right could name.',
      })
    } else {
      Validations.of(this.lambda).acknowledge({ id: 'Serverless-LambdaTracing', reason: untraced })
    }
    for (const grant of properties.grants) this.may(grant)
    Validations.of(this.lambda).acknowledge({ id: 'Serverless-LambdaDLQ', reason: properties.failures })
  }

  may(grant: Grant): void {
    giveTo(this.#role, grant)
  }
}
