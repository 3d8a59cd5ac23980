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

export interface WorkerScaling {
  service: FargateService
  queue: IQueue
  /** Tasks at most. */
  maxWorkers: number
}

/** What a worker's task has: CPU units (1024 are one processor), MiB of memory, and places for episodes. */
export const workerSize = { cpu: 1024, memory: 2048, places: 500 }

const minute = Duration.minutes(1)
/** How long no more workers may have been needed before some are taken away. */
const lingering = Duration.minutes(15)
/** Seconds that an episode may wait while workers have places: then they are too busy to take it. */
const longWait = 300

/**
 * Scales the workers by step scaling on alarms of their queue. CloudWatch knows the queue's depth and age without anyone asking,
 * so an idle stage runs nothing for it; the scaler of hosts decides by what episodes ask of it in the ledger, which says nothing of
 * how many wait here.
 *
 * - Episodes wait: one worker more, more where more of them wait than its places.
 * - One has waited for five minutes although there are workers: one more, because those take nothing, being busy.
 * - As many as the episodes of the last quarter of an hour needed at once, waiting and played; none of them: none.
 */
export function scaleWorkers(scope: Construct, { service, queue, maxWorkers }: WorkerScaling): void {
  const target = new ScalableTarget(scope, 'Target', {
    serviceNamespace: ServiceNamespace.ECS,
    scalableDimension: 'ecs:service:DesiredCount',
    resourceId: `service/${service.cluster.clusterName}/${service.serviceName}`,
    minCapacity: 0,
    maxCapacity: maxWorkers,
    // That of the account, which Auto Scaling makes by itself when it first scales a service.
    role: Role.fromRoleArn(scope, 'ScalingRole', scalingRole(Stack.of(scope)), { mutable: false }),
  })
  target.node.addDependency(service)
  const { stackName } = Stack.of(scope)
  const { places } = workerSize
  const visible = { period: minute, statistic: Stats.MAXIMUM }
  const waiting = queue.metricApproximateNumberOfMessagesVisible(visible)

  const more = new StepScalingAction(scope, 'More', {
    scalingTarget: target,
    adjustmentType: AdjustmentType.CHANGE_IN_CAPACITY,
    metricAggregationType: MetricAggregationType.MAXIMUM,
    // A task starts within a minute, and its first message another later.
    cooldown: Duration.minutes(2),
  })
  // Bounds are distances from the alarm's threshold, 1.
  more.addAdjustment({ adjustment: 1, lowerBound: 0, upperBound: places })
  more.addAdjustment({ adjustment: 2, lowerBound: places, upperBound: 3 * places })
  more.addAdjustment({ adjustment: 4, lowerBound: 3 * places })
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
    cooldown: Duration.seconds(longWait),
  })
  another.addAdjustment({ adjustment: 1, lowerBound: 0 })
  new Alarm(scope, 'Late', {
    alarmName: `${stackName}-workers-late`,
    alarmDescription:
      'Starts one more worker: an episode waits although there are workers. Where it lasts, raise maxWorkers.',
    metric: queue.metricApproximateAgeOfOldestMessage(visible),
    threshold: longWait,
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
  // Below the threshold, and so from the highest step to the lowest.
  const threshold = (maxWorkers - 1) * places
  for (let tasks = maxWorkers - 1; tasks >= 1; tasks -= 1) {
    const [from, to] = [(tasks - 1) * places - threshold, tasks * places - threshold]
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
    // Of a queue that was idle for hours SQS reports nothing.
    treatMissingData: TreatMissingData.IGNORE,
  }).addAlarmAction(new ApplicationScalingAction(fewer))
}

function scalingRole({ partition, account }: Stack): string {
  const service = 'ecs.application-autoscaling.amazonaws.com'
  return `arn:${partition}:iam::${account}:role/aws-service-role/${service}/AWSServiceRoleForApplicationAutoScaling_ECSService`
}
