import { Duration, Stack } from 'aws-cdk-lib'
import {
  AdjustmentType,
  MetricAggregationType,
  ScalableTarget,
  ServiceNamespace,
  StepScalingAction,
} from 'aws-cdk-lib/aws-applicationautoscaling'
import {
  Alarm,
  ComparisonOperator,
  MathExpression,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch'
import { ApplicationScalingAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import type { FargateService } from 'aws-cdk-lib/aws-ecs'
import { Role } from 'aws-cdk-lib/aws-iam'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { workerSize } from './worker-size.ts'

export interface WorkerScaling {
  service: FargateService
  queue: IQueue
  maxWorkers: number
}

const minute = Duration.minutes(1)
const lingering = Duration.minutes(15)
const longWait = Duration.minutes(5)

/**
 * Scales the workers by step scaling on alarms of their queue. CloudWatch measures the queue's depth and age by
 * itself, so an idle stage runs nothing. The scaler of hosts uses the ledger instead, which does not know this queue.
 *
 * - Episodes wait: add one worker, or more if more wait than it has room for.
 * - Some have waited all the last five minutes although there are workers: add one, since the others are too busy.
 * - Remove workers down to the number that the last 15 minutes needed, waiting and playing. Without any episodes: to
 * none.
 */
export function scaleWorkers(scope: Construct, { service, queue, maxWorkers }: WorkerScaling): void {
  const target = scalableTarget(scope, { service, maxWorkers })
  const { stackName } = Stack.of(scope)
  const { places } = workerSize
  const visible = { period: minute, statistic: Stats.MAXIMUM }
  const waiting = queue.metricApproximateNumberOfMessagesVisible(visible)

  const more = new StepScalingAction(scope, 'More', {
    scalingTarget: target,
    adjustmentType: AdjustmentType.CHANGE_IN_CAPACITY,
    metricAggregationType: MetricAggregationType.MAXIMUM,
    // A task starts within a minute, and receives its first message within another.
    cooldown: Duration.minutes(2),
  })
  // Bounds are distances from the alarm's threshold, 1.
  more.addAdjustment({ adjustment: 1, lowerBound: 0, upperBound: places })
  more.addAdjustment({ adjustment: 2, lowerBound: places, upperBound: 3 * places })
  more.addAdjustment({ adjustment: 4, lowerBound: 3 * places, upperBound: 12 * places })
  more.addAdjustment({ adjustment: 16, lowerBound: 12 * places })
  new Alarm(scope, 'Wanted', {
    alarmName: `${stackName}-workers-wanted`,
    alarmDescription: 'Starts workers: episodes wait for one. Nothing to look at.',
    metric: waiting,
    threshold: 1,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  }).addAlarmAction(new ApplicationScalingAction(more))

  const another = new StepScalingAction(scope, 'Another', {
    scalingTarget: target,
    adjustmentType: AdjustmentType.CHANGE_IN_CAPACITY,
    metricAggregationType: MetricAggregationType.MAXIMUM,
    cooldown: longWait,
  })
  another.addAdjustment({ adjustment: 1, lowerBound: 0 })
  new Alarm(scope, 'Late', {
    alarmName: `${stackName}-workers-late`,
    alarmDescription:
      'Starts one more worker: episodes wait although there are workers. If it lasts, raise maxWorkers.',
    // Not the age of the oldest message, which counts those in flight: a worker plays an episode for hours.
    metric: queue.metricApproximateNumberOfMessagesVisible({ period: longWait, statistic: Stats.MINIMUM }),
    threshold: 1,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  }).addAlarmAction(new ApplicationScalingAction(another))

  const fewer = new StepScalingAction(scope, 'Fewer', {
    scalingTarget: target,
    adjustmentType: AdjustmentType.EXACT_CAPACITY,
    metricAggregationType: MetricAggregationType.MAXIMUM,
    cooldown: lingering,
  })
  // Below the threshold, so from the highest step to the lowest.
  const threshold = (maxWorkers - 1) * places
  for (const { fewest, tasks } of capacitySteps(maxWorkers - 1)) {
    const [from, to] = [(fewest - 1) * places - threshold, tasks * places - threshold]
    fewer.addAdjustment({ adjustment: tasks, lowerBound: from, upperBound: to })
  }
  fewer.addAdjustment({ adjustment: 0, upperBound: -threshold })
  const usingMetrics = {
    waiting: queue.metricApproximateNumberOfMessagesVisible({ ...visible, period: lingering }),
    played: queue.metricApproximateNumberOfMessagesNotVisible({ ...visible, period: lingering }),
  }
  new Alarm(scope, 'Idle', {
    alarmName: `${stackName}-workers-idle`,
    alarmDescription:
      'Takes workers away that nothing needs. It stands in alarm while they are few: nothing to look at.',
    metric: new MathExpression({ expression: 'waiting + played', period: lingering, usingMetrics }),
    threshold,
    comparisonOperator: ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: 1,
    // SQS reports nothing for a queue that was idle for hours.
    treatMissingData: TreatMissingData.IGNORE,
  }).addAlarmAction(new ApplicationScalingAction(fewer))
}

/** Application Auto Scaling takes 20 steps; one remains for none. */
const mostSteps = 19

/** Ranges of tasks that all have the capacity of their most, from 1 to `most`, in few steps. */
export function capacitySteps(most: number): { fewest: number; tasks: number }[] {
  const width = Math.ceil(most / mostSteps)
  return Array.from({ length: Math.ceil(most / width) }, (_, step) => ({
    fewest: step * width + 1,
    tasks: Math.min((step + 1) * width, most),
  }))
}

export function scalableTarget(
  scope: Construct,
  { service, maxWorkers }: Pick<WorkerScaling, 'service' | 'maxWorkers'>,
): ScalableTarget {
  const target = new ScalableTarget(scope, 'Target', {
    serviceNamespace: ServiceNamespace.ECS,
    scalableDimension: 'ecs:service:DesiredCount',
    resourceId: `service/${service.cluster.clusterName}/${service.serviceName}`,
    minCapacity: 0,
    maxCapacity: maxWorkers,
    // The account's role, which Auto Scaling creates when it first scales a service.
    role: Role.fromRoleArn(scope, 'ScalingRole', scalingRole(Stack.of(scope)), { mutable: false }),
  })
  target.node.addDependency(service)
  return target
}

function scalingRole({ partition, account }: Stack): string {
  const service = 'ecs.application-autoscaling.amazonaws.com'
  return `arn:${partition}:iam::${account}:role/aws-service-role/${service}/AWSServiceRoleForApplicationAutoScaling_ECSService`
}
