import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
import { AccessLogField, AccessLogFormat } from 'aws-cdk-lib/aws-apigateway'
import {
  type CfnStage,
  HttpApi,
  HttpMethod,
  type HttpRoute,
  type HttpRouteIntegration,
  HttpStage,
  type IHttpRouteAuthorizer,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from 'aws-cdk-lib/aws-apigatewayv2-authorizers'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import type { ConcurrencyShares } from './concurrency.ts'
import type { FunctionInputs } from './function-inputs.ts'
import * as grants from './grants.ts'
import { ServiceFunction } from './service-function.ts'

export const publicPaths = {
  short: ['/', '/health'],
  files: ['/openapi.json', '/docs', '/docs/{file+}'],
} as const

const pagePaths = ['/', '/{path+}']
const reading = [HttpMethod.GET, HttpMethod.HEAD]
export const pageRoutes = pagePaths.flatMap((path) => reading.map((method) => `${method} ${path}`))

// A stream keeps an instance of the function busy for its whole life.
const streamPath = '/v1/runs/{run}/events'

const invokedAndAnswered = 'API Gateway invokes it and hands its failure to the caller.'

export class Api extends Construct {
  readonly api: HttpApi
  readonly handler: ServiceFunction
  readonly authorizer: ServiceFunction
  readonly pages: ServiceFunction | null

  constructor(
    scope: Construct,
    id: string,
    parts: FunctionInputs & { shares: ConcurrencyShares; showsPages: boolean },
  ) {
    super(scope, id)
    const { environment, endpoints, environments } = parts
    const { bucket, table } = parts.storage
    const { episodes, alone, datasets } = parts.queues.queues
    this.authorizer = new ServiceFunction(this, 'Authorizer', 'authorizer', {
      description: 'Knows API keys by their hashes, and refuses others',
      timeout: 10,
      memory: 256,
      environment,
      failures: invokedAndAnswered,
      grants: [grants.lookUp(table, ['keys'])],
    })
    this.handler = new ServiceFunction(this, 'Handler', 'api', {
      description: 'Answers the HTTP API',
      timeout: 29,
      // The journal of a tree of 30,000 nodes takes some 480 MB. One stays cached for a reader who moves from node to
      // node, while another request may read a second. The processor share of this size sorts 100,000 episodes in
      // some seconds.
      memory: 1536,
      environment,
      files: { endpoints, environments, docs: true },
      failures: invokedAndAnswered,
      grants: [
        grants.changeLedger(table),
        // Read access lets it sign downloads.
        grants.readObjects(bucket, ['runs', 'trajectories', 'datasets', 'blobs', 'packs']),
        grants.writeObjects(bucket, ['runs', 'trajectories', 'datasets', 'blobs', 'health']),
        grants.listObjects(bucket),
        grants.sendTo(episodes.queue, alone.queue, datasets.queue),
      ],
    })
    this.pages = parts.showsPages ? this.#createPages(parts) : null
    this.api = new HttpApi(this, 'Api', {
      apiName: Stack.of(this).stackName,
      description: 'Espalier: LLM agents and tree searches over interactive environments',
      createDefaultStage: false,
    })
    const throttled = this.#addRoutes()
    this.#openStage(parts.shares).node.addDependency(...throttled)
  }

  #createPages({ environment, pages, storage }: FunctionInputs): ServiceFunction {
    return new ServiceFunction(this, 'Pages', 'show-pages', {
      description: 'Shows the dashboard, whose files it carries, to browsers',
      timeout: 10,
      memory: 256,
      environment: {
        ...environment,
        ESPALIER_STORAGE_ORIGIN: `https://${storage.bucket.bucketRegionalDomainName}`,
      },
      files: { pages, packed: true },
      failures: invokedAndAnswered,
      grants: [],
    })
  }

  #openStage({ requests, streams, open }: ConcurrencyShares): HttpStage {
    const { stackName } = Stack.of(this)
    const logGroup = new LogGroup(this, 'AccessLogs', {
      logGroupName: `/aws/apigateway/${stackName}`,
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: requests.rate, burstLimit: requests.burst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(logGroup),
        format: AccessLogFormat.custom(
          JSON.stringify({
            request: AccessLogField.contextRequestId(),
            time: AccessLogField.contextRequestTime(),
            address: AccessLogField.contextIdentitySourceIp(),
            method: AccessLogField.contextHttpMethod(),
            path: AccessLogField.contextPath(),
            status: AccessLogField.contextStatus(),
            milliseconds: AccessLogField.contextResponseLatency(),
            bytes: AccessLogField.contextResponseLength(),
            tenant: AccessLogField.contextAuthorizer('tenant'),
            key: AccessLogField.contextAuthorizer('key'),
            error: AccessLogField.contextIntegrationErrorMessage(),
          }),
        ),
      },
    })
    const defined = stage.node.defaultChild as CfnStage
    const throttled = ({ rate, burst }: { rate: number; burst: number }) => ({
      ThrottlingRateLimit: rate,
      ThrottlingBurstLimit: burst,
    })
    defined.routeSettings = {
      [`GET ${streamPath}`]: throttled(streams),
      // A flood of requests without a key leaves the budget of those with one alone.
      ...Object.fromEntries(
        (['short', 'files'] as const).flatMap((kind) =>
          publicPaths[kind].map((path) => [`GET ${path}`, throttled(open[kind])]),
        ),
      ),
      ...(this.pages && Object.fromEntries(pageRoutes.map((key) => [key, throttled(open.pages)]))),
    }
    return stage
  }

  #addRoutes(): HttpRoute[] {
    const integration = new HttpLambdaIntegration('Handler', this.handler.lambda, {
      timeout: Duration.seconds(29),
    })
    const authorizer = new HttpLambdaAuthorizer('Keys', this.authorizer.lambda, {
      authorizerName: 'keys',
      responseTypes: [HttpLambdaResponseType.SIMPLE],
      identitySource: ['$request.header.Authorization'],
      // A revoked key works for this long.
      resultsCacheTtl: Duration.minutes(1),
    })
    this.#addRoute('/{path+}', [HttpMethod.ANY], integration, authorizer)
    const throttled = this.#addRoute(streamPath, [HttpMethod.GET], integration, authorizer)
    const open = Object.values(publicPaths)
      .flat()
      .filter((path) => this.pages === null || path !== '/')
      .flatMap((path) => this.#addRoute(path, [HttpMethod.GET], integration))
    if (this.pages !== null) {
      // Of two routes of one method the gateway takes the longer path.
      this.#addRoute('/v1/{path+}', reading, integration, authorizer)
      const toPages = new HttpLambdaIntegration('Pages', this.pages.lambda, { timeout: Duration.seconds(10) })
      open.push(...pagePaths.flatMap((path) => this.#addRoute(path, reading, toPages)))
    }
    for (const route of open) {
      Validations.of(route).acknowledge({
        id: 'AwsSolutions-APIG4',
        reason:
          'It says nothing about any tenant: whether the service is well, how it is spoken to, and the public files of its dashboard.',
      })
    }
    return [...throttled, ...open]
  }

  #addRoute(
    path: string,
    methods: HttpMethod[],
    integration: HttpRouteIntegration,
    authorizer?: IHttpRouteAuthorizer,
  ) {
    return this.api.addRoutes({ path, methods, integration, authorizer })
  }
}
