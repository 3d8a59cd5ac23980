import {
  DeleteTableCommand,
  DynamoDBClient,
  ListTablesCommand,
  UpdateTableCommand,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb'
import { CreateClusterCommand, DeleteClusterCommand, ECSClient } from '@aws-sdk/client-ecs'
import {
  DeleteFunctionConcurrencyCommand,
  GetAccountSettingsCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda'
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3'
import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm'
import { z } from 'zod'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import {
  dataStackOf,
  type ImageBuilds,
  imageBuildsSchema,
  type StageData,
  type StageFacts,
  stackOf,
  stageDataParameter,
  stageDataSchema,
  stageFactsParameter,
  stageFactsSchema,
  stageImagesParameter,
  stageOptionsParameter,
} from '../stage-facts.ts'
import { deleteBucket } from './delete-bucket.ts'
import { buildImages } from './image-builds.ts'
import { stopTasks } from './stop-tasks.ts'

const credentials =
  'Sign in with `aws sso login` (or `aws configure`) and name the profile in AWS_PROFILE, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'

const advice: [pattern: RegExp, message: string][] = [
  [/^(CredentialsProviderError|TokenProviderError)/, `There are no AWS credentials. ${credentials}`],
  [
    /^(ExpiredToken|RequestExpired|UnrecognizedClient|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch|InvalidAccessKeyId)/,
    `The AWS credentials are not valid, or no longer. ${credentials}`,
  ],
  [/^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|TimeoutError)/, 'AWS cannot be reached. Check the network.'],
]

export interface Account {
  /** The account's number. Null if the CDK is not bootstrapped in the region. @throws without credentials */
  bootstrapped(): Promise<string | null>
  region(): Promise<string>
  /** The quota of concurrent executions. Null if the caller may not read it. */
  concurrency(): Promise<number | null>
  stage(stage: string): Promise<StageFacts | null>
  /** The settings of the last deployment, as strings. Null without one, or if its version stored none. */
  options(stage: string): Promise<Record<string, string> | null>
  /**
   * Lets ECS create its role in the account, by a cluster that is deleted at once: the first stack that needs the role
   * would fail while ECS still makes it.
   */
  prepareEcs(stage: string): Promise<void>
  data(stage: string): Promise<StageData | null>
  imageBuilds(stage: string): Promise<ImageBuilds | null>
  buildImages(builds: ImageBuilds, note: (text: string) => void): Promise<Record<string, string>>
  /** Those that the creation of the stack of data left when it failed. */
  leftovers(stage: string): Promise<{ buckets: string[]; tables: string[] }>
  /**
   * Stops all hosts of a stage, waits for their ends and prevents new ones, which would keep the cluster from being
   * deleted.
   */
  stopHosts(stage: string, onProgress: (live: number) => void): Promise<void>
  letHostsStart(stage: string): Promise<void>
  deleteBucket(bucket: string, onProgress: (objects: number) => void): Promise<void>
  deleteTable(table: string): Promise<void>
}

export function openAccount(environment: Readonly<Record<string, string | undefined>>): Account {
  const region = environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION
  const configuration = region === undefined ? {} : { region }
  const parameters = new SSMClient(configuration)
  const functions = new LambdaClient(configuration)

  async function parameter(name: string): Promise<{ value: string; arn: string } | null> {
    try {
      const { Parameter } = await parameters.send(new GetParameterCommand({ Name: name }))
      return { value: Parameter?.Value ?? '', arn: Parameter?.ARN ?? '' }
    } catch (error) {
      if (error instanceof ParameterNotFound) return null
      throw explainAwsError(error)
    }
  }

  return {
    async bootstrapped() {
      const version = await parameter('/cdk-bootstrap/hnb659fds/version')
      return version === null ? null : (version.arn.split(':')[4] ?? '')
    },
    async region() {
      try {
        return await parameters.config.region()
      } catch (error) {
        throw explainAwsError(error)
      }
    },
    async concurrency() {
      try {
        const { AccountLimit } = await functions.send(new GetAccountSettingsCommand())
        return AccountLimit?.ConcurrentExecutions ?? null
      } catch (error) {
        if (error instanceof Error && error.name.startsWith('AccessDenied')) return null
        throw explainAwsError(error)
      }
    },
    async stage(stage) {
      const found = await parameter(stageFactsParameter(stage))
      return found === null ? null : stageFactsSchema.parse(JSON.parse(found.value))
    },
    async options(stage) {
      const found = await parameter(stageOptionsParameter(stage))
      return found === null ? null : z.record(z.string(), z.string()).parse(JSON.parse(found.value))
    },
    async prepareEcs(stage) {
      const containers = new ECSClient(configuration)
      const name = `espalier-${stage}-first`
      try {
        await containers.send(new CreateClusterCommand({ clusterName: name }))
        await containers.send(new DeleteClusterCommand({ cluster: name }))
      } catch (error) {
        throw explainAwsError(error)
      }
    },
    async data(stage) {
      const found = await parameter(stageDataParameter(stage))
      return found === null ? null : stageDataSchema.parse(JSON.parse(found.value))
    },
    async imageBuilds(stage) {
      const found = await parameter(stageImagesParameter(stage))
      return found === null ? null : imageBuildsSchema.parse(JSON.parse(found.value))
    },
    async buildImages(builds, note) {
      const endpoints = {
        codebuild: environment.AWS_ENDPOINT_URL_CODEBUILD,
        logs: environment.AWS_ENDPOINT_URL_LOGS,
      }
      try {
        return await buildImages(parameters, builds, { endpoints, note, pause })
      } catch (error) {
        throw explainAwsError(error)
      }
    },
    async leftovers(stage) {
      try {
        const [{ Buckets = [] }, { TableNames = [] }] = await Promise.all([
          new S3Client(configuration).send(
            new ListBucketsCommand({ Prefix: `${dataStackOf(stage)}-bucket` }),
          ),
          new DynamoDBClient(configuration).send(
            new ListTablesCommand({ ExclusiveStartTableName: dataStackOf(stage) }),
          ),
        ])
        return {
          buckets: Buckets.flatMap(({ Name }) => (Name === undefined ? [] : [Name])),
          tables: TableNames.filter((name) => name.startsWith(`${dataStackOf(stage)}-Table`)),
        }
      } catch (error) {
        throw explainAwsError(error)
      }
    },
    async stopHosts(stage, onProgress) {
      try {
        await unlessGone(
          functions.send(
            new PutFunctionConcurrencyCommand({
              FunctionName: scalerOf(stage),
              ReservedConcurrentExecutions: 0,
            }),
          ),
        )
        await stopTasks(new ECSClient(configuration), { cluster: stackOf(stage), onProgress, pause })
      } catch (error) {
        throw explainAwsError(error)
      }
    },
    async letHostsStart(stage) {
      try {
        await unlessGone(
          functions.send(new DeleteFunctionConcurrencyCommand({ FunctionName: scalerOf(stage) })),
        )
      } catch (error) {
        throw explainAwsError(error)
      }
    },
    async deleteBucket(bucket, onProgress) {
      try {
        await deleteBucket(new S3Client(configuration), bucket, onProgress)
      } catch (error) {
        throw explainAwsError(error)
      }
    },
    async deleteTable(table) {
      try {
        const ledger = new DynamoDBClient(configuration)
        const unprotected = { TableName: table, DeletionProtectionEnabled: false }
        await ledger.send(new UpdateTableCommand(unprotected))
        await waitUntilTableExists({ client: ledger, maxWaitTime: 300 }, { TableName: table })
        await ledger.send(new DeleteTableCommand({ TableName: table }))
        await waitUntilTableNotExists({ client: ledger, maxWaitTime: 300 }, { TableName: table })
      } catch (error) {
        throw explainAwsError(error)
      }
    },
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

function scalerOf(stage: string): string {
  return `espalier-${stage}-scale-hosts`
}

async function unlessGone(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error
  }
}

function explainAwsError(error: unknown): unknown {
  if (!(error instanceof Error) || EspalierError.isInstance(error)) return error
  if (error.message === 'Region is missing') {
    return new EspalierError(
      'invalid_request',
      'No region is chosen. Set AWS_REGION, for example to us-east-1.',
    )
  }
  const names = [error.name, 'code' in error ? String(error.code) : '']
  const known = advice.find(([pattern]) => names.some((name) => pattern.test(name)))
  if (known !== undefined) return new EspalierError('invalid_request', known[1], { cause: error })
  if (!error.name.startsWith('AccessDenied')) return error
  return new EspalierError('invalid_request', `The credentials lack a right: ${error.message}`, {
    cause: error,
  })
}
