import { Duration, Stack } from 'aws-cdk-lib'
import {
  AdjustmentType,
  MetricAggregationType,
  type ScalableTarget,
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
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { workerSize } from './worker-size.ts'

export interface OnDemandWorkersProperties {
  target: ScalableTarget
  queue: IQueue
  maxWorkers: number
}

const period = Duration.minutes(5)
const stalled = 2
const lingering = Duration.minutes(15)

/**
 * Scales workers on demand for when Spot places none: ECS itself never falls back. Ten minutes with episodes waiting
 * and none in flight start as many as wait; a quarter of an hour without any episode stops them. An alarm mails the
 * start.
 */
export class OnDemandWorkers extends Construct {
  readonly started: Alarm

  constructor(scope: Construct, id: string, { target, queue, maxWorkers }: OnDemandWorkersProperties) {
    super(scope, id)
    const { stackName } = Stack.of(this)
    const { places } = workerSize
    const start = new StepScalingAction(this, 'Start', {
      scalingTarget: target,
      adjustmentType: AdjustmentType.EXACT_CAPACITY,
      metricAggregationType: MetricAggregationType.MINIMUM,
      cooldown: period,
    })
    // Bounds are distances from the alarm's threshold, 1.
    for (let tasks = 1; tasks < maxWorkers; tasks += 1)
      start.addAdjustment({ adjustment: tasks, lowerBound: (tasks - 1) * places, upperBound: tasks * places })
    start.addAdjustment({ adjustment: maxWorkers, lowerBound: (maxWorkers - 1) * places })
    this.started = new Alarm(this, 'Unplaced', {
      alarmName: `${stackName}-workers-unplaced`,
      alarmDescription:
        'Spot places no worker: episodes wait for ten minutes, and none is played. Workers start on demand.',
      metric: new MathExpression({
        expression: 'IF(played < 1, waiting, 0)',
        period,
        usingMetrics: {
          waiting: queue.metricApproximateNumberOfMessagesVisible({ period, statistic: Stats.MINIMUM }),
          played: queue.metricApproximateNumberOfMessagesNotVisible({ period, statistic: Stats.MAXIMUM }),
        },
      }),
      threshold: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: stalled,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    })
    this.started.addAlarmAction(new ApplicationScalingAction(start))

    const stop = new StepScalingAction(this, 'Stop', {
      scalingTarget: target,
      adjustmentType: AdjustmentType.EXACT_CAPACITY,
      metricAggregationType: MetricAggregationType.MAXIMUM,
      cooldown: lingering,
    })
    stop.addAdjustment({ adjustment: 0, upperBound: 0 })
    const most = { period: lingering, statistic: Stats.MAXIMUM }
    new Alarm(this, 'Needless', {
      alarmName: `${stackName}-workers-needless`,
      alarmDescription: 'Stops workers on demand: there are no episodes. Nothing to look at.',
      metric: new MathExpression({
        expression: 'waiting + played',
        period: lingering,
        usingMetrics: {
          waiting: queue.metricApproximateNumberOfMessagesVisible(most),
          played: queue.metricApproximateNumberOfMessagesNotVisible(most),
        },
      }),
      threshold: 0,
      comparisonOperator: ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.IGNORE,
    }).addAlarmAction(new ApplicationScalingAction(stop))
  }
}
