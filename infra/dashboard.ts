import { Duration, Stack } from 'aws-cdk-lib'
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import { Dashboard, GraphWidget, type IMetric, Metric, Row, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { Construct } from 'constructs'
import type { Queues } from './queues.ts'
import type { ServiceFunction } from './service-function.ts'
import type { Storage } from './storage.ts'

export interface StageDashboardProperties {
  stage: string
  storage: Storage
  queues: Queues
  api: HttpApi
  functions: ServiceFunction[]
}

const period = Duration.minutes(5)
const high = { period, statistic: Stats.percentile(95) }

// Within the fifty metrics of a free dashboard.
export class StageDashboard extends Construct {
  constructor(scope: Construct, id: string, parts: StageDashboardProperties) {
    super(scope, id)
    const own = metricsOf(parts.stage)
    new Dashboard(this, 'Dashboard', {
      dashboardName: Stack.of(this).stackName,
      defaultInterval: Duration.hours(6),
    }).addWidgets(
      workOf(parts.queues, own),
      functionsOf(parts.functions, own),
      storageOf(parts.storage),
      apiOf(parts.api),
    )
  }
}

function workOf({ queues }: Queues, own: OwnMetric): Row {
  const all = Object.values(queues).map(({ queue }) => queue)
  return new Row(
    graph(
      'Messages waiting',
      all.map((queue) => queue.metricApproximateNumberOfMessagesVisible({ period })),
    ),
    graph(
      'Messages in flight',
      all.map((queue) => queue.metricApproximateNumberOfMessagesNotVisible({ period })),
    ),
    graph('Episodes', [own('EpisodesEnded'), own('EpisodesErrored')]),
    graph('Model calls', [own('ModelCalls')]),
  )
}

function functionsOf(functions: ServiceFunction[], own: OwnMetric): Row {
  const lambdas = functions.map(({ lambda }) => lambda)
  return new Row(
    graph(
      'Invocations',
      lambdas.map((lambda) => lambda.metricInvocations({ period })),
    ),
    graph(
      'Duration (95 %)',
      lambdas.map((lambda) => lambda.metricDuration(high)),
    ),
    graph(
      'Errors',
      lambdas.map((lambda) => lambda.metricErrors({ period })),
    ),
    graph('Hosts running', [own('HostsRunning', Stats.MAXIMUM)]),
  )
}

function storageOf({ table, bucket }: Storage): Row {
  return new Row(
    graph('Capacity of the ledger', [
      table.metricConsumedReadCapacityUnits({ period }),
      table.metricConsumedWriteCapacityUnits({ period }),
    ]),
    // S3 measures requests only with a paid metrics filter. Sizes are free, once a day.
    graph('Bytes in the bucket', [ofBucket('BucketSizeBytes', 'StandardStorage')]),
    graph('Objects in the bucket', [ofBucket('NumberOfObjects', 'AllStorageTypes')]),
  )

  function ofBucket(metricName: string, StorageType: string): Metric {
    const dimensionsMap = { BucketName: bucket.bucketName, StorageType }
    return new Metric({
      namespace: 'AWS/S3',
      metricName,
      dimensionsMap,
      period: Duration.days(1),
      statistic: Stats.AVERAGE,
    })
  }
}

function apiOf(api: HttpApi): Row {
  return new Row(
    graph('API', [
      api.metricCount({ period }),
      api.metricClientError({ period }),
      api.metricServerError({ period }),
    ]),
    graph('API latency (95 %)', [api.metricLatency(high)]),
  )
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 6, height: 6 })
}

type OwnMetric = (metricName: string, statistic?: string) => Metric

function metricsOf(stage: string): OwnMetric {
  const dimensionsMap = { service: 'espalier', stage }
  return (metricName, statistic = Stats.SUM) =>
    new Metric({ namespace: 'Espalier', metricName, dimensionsMap, period, statistic })
}
