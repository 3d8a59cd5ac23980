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
import type { FargateService } from 'aws-cdk-lib/aws-ecs'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { capacitySteps } from './scale-workers.ts'
import { workerSize } from './worker-size.ts'

export interface OnDemandWorkersProperties {
  target: ScalableTarget
  spot: FargateService
  queue: IQueue
  maxWorkers: number
}

const period = Duration.minutes(5)
const stalled = 2
const lingering = Duration.minutes(15)

/**
 * Scales workers on demand for when Spot places none: ECS itself never falls back. Ten minutes with episodes waiting
 * and none in flight start as many as wait. A quarter of an hour without any episode stops them, as do ten minutes in
 * which Spot runs tasks again. An alarm mails the start.
 */
export class OnDemandWorkers extends Construct {
  readonly started: Alarm

  constructor(scope: Construct, id: string, { target, spot, queue, maxWorkers }: OnDemandWorkersProperties) {
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
    for (const { fewest, tasks } of capacitySteps(maxWorkers))
      start.addAdjustment({
        adjustment: tasks,
        lowerBound: (fewest - 1) * places,
        ...(tasks < maxWorkers && { upperBound: tasks * places }),
      })
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

    const yieldToSpot = new StepScalingAction(this, 'Yield', {
      scalingTarget: target,
      adjustmentType: AdjustmentType.EXACT_CAPACITY,
      metricAggregationType: MetricAggregationType.MINIMUM,
      cooldown: period,
    })
    yieldToSpot.addAdjustment({ adjustment: 0, lowerBound: 0 })
    new Alarm(this, 'Placed', {
      alarmName: `${stackName}-workers-placed`,
      alarmDescription:
        'Stops workers on demand: Spot runs tasks. It stands in alarm then: nothing to look at.',
      // ECS samples the processor of each running task, and has no free metric of their number.
      metric: spot.metricCpuUtilization({ period, statistic: Stats.SAMPLE_COUNT }),
      threshold: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: stalled,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    }).addAlarmAction(new ApplicationScalingAction(yieldToSpot))
  }
}
