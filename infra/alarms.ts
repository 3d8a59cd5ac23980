import { hash } from 'node:crypto'
import { Aws, Duration, Stack, Validations } from 'aws-cdk-lib'
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import { CfnBudget } from 'aws-cdk-lib/aws-budgets'
import { Alarm, ComparisonOperator, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import type { LastingEpisodes } from './lasting-episodes.ts'
import type { Queues } from './queues.ts'
import type { ServiceFunction } from './service-function.ts'
import type { Storage } from './storage.ts'

export interface AlarmsProperties {
  stage: string
  storage: Storage
  queues: Queues
  lasting: LastingEpisodes | null
  unplaced: Alarm | null
  api: HttpApi
  answering: ServiceFunction[]
  player: ServiceFunction
  /** Functions without a waiting caller: only an alarm reports their failures. */
  background: ServiceFunction[]
  callHost: ServiceFunction | null
  /** US dollars a month. 0: no budget. */
  budget: number
  mail: string | undefined
}

const period = Duration.minutes(5)

const waiting: Readonly<Record<string, string>> = {
  episodes: 'Episodes have waited for an hour: more are queued than maxConcurrency lets play.',
  alone: 'Episodes that must run alone have waited for an hour.',
  datasets: 'Parts of datasets have waited for an hour.',
  jobs: 'Looks at trainings or loops have waited for an hour: no service of yours takes them.',
  lasting: 'Episodes for long-lived workers have waited for an hour: no worker has room, or none starts.',
}

// Counts in five minutes above which writers block each other more than leases and claims explain.
const manyConflicts = { conditions: 10_000, transactions: 500 }

/**
 * The alarms of a stage. docs/runbook.md has the answer to each. With an address they arrive by mail, otherwise they
 * show in the console.
 */
export class Alarms extends Construct {
  readonly #topic: Topic | null

  constructor(scope: Construct, id: string, parts: AlarmsProperties) {
    super(scope, id)
    this.#topic = parts.mail === undefined ? null : this.#createTopic(parts.mail)
    this.#watchQueues(parts)
    if (parts.unplaced !== null) this.#mail(parts.unplaced)
    this.#watchFunctions(parts)
    this.#watchStorage(parts)
    this.#add('api-failed', parts.api.metricServerError({ period, statistic: Stats.SUM }), {
      says: 'The API answered with a 5xx. The log of its function says why.',
    })
    if (parts.budget > 0) this.#addBudget(parts.budget, parts.mail)
  }

  #watchQueues({ queues: { queues }, lasting }: AlarmsProperties): void {
    for (const [name, { deadLetters }] of Object.entries(queues)) {
      const waiting = deadLetters.metricApproximateNumberOfMessagesVisible({
        period,
        statistic: Stats.MAXIMUM,
      })
      this.#add(`${name}-dead`, waiting, {
        says: `A message of the queue ${name} failed five times. Its episode, dataset, training or loop says why.`,
      })
    }
    for (const [name, { queue }] of Object.entries(queues)) this.#watchAge(name, queue)
    if (lasting === null) return
    this.#watchAge('lasting', lasting.queue)
  }

  /**
   * Messages that wait throughout an hour. The age of the oldest message would count those in flight, and workers
   * play for hours.
   */
  #watchAge(name: string, queue: IQueue): void {
    const hour = { period: Duration.hours(1), statistic: Stats.MINIMUM }
    this.#add(`${name}-waiting`, queue.metricApproximateNumberOfMessagesVisible(hour), {
      says: waiting[name] ?? '',
    })
  }

  #watchFunctions({ player, background, callHost, answering }: AlarmsProperties): void {
    const watched = [player, ...background, ...(callHost === null ? [] : [callHost])]
    for (const { name, lambda } of watched) {
      this.#add(`${name}-failed`, lambda.metricErrors({ period }), {
        says: `The function ${name} failed. Its log says why.`,
      })
    }
    for (const { name, lambda } of watched.filter(({ feedsItself }) => feedsItself)) {
      const dropped = lambda.metric('RecursiveInvocationsDropped', { period, statistic: Stats.SUM })
      this.#add(`${name}-dropped`, dropped, {
        says: `Lambda took the function ${name} for a runaway loop and dropped its messages. Set its recursive loop detection to Allow.`,
      })
    }
    this.#add('workers-throttled', player.lambda.metricThrottles({ period }), {
      says: 'Lambda refuses to run more workers. Raise the quota of concurrent executions, or lower maxConcurrency.',
    })
    for (const { name, lambda } of [...answering, ...(callHost === null ? [] : [callHost])]) {
      this.#add(`${name}-throttled`, lambda.metricThrottles({ period }), {
        says: `Lambda refuses to run ${name}: the account has no concurrent executions left. Raise the quota.`,
      })
    }
  }

  #watchStorage({ stage, storage: { table } }: AlarmsProperties): void {
    const ofTable = (metricName: string) =>
      new Metric({
        namespace: 'AWS/DynamoDB',
        metricName,
        dimensionsMap: { TableName: table.tableName },
        period,
        statistic: Stats.SUM,
      })
    this.#add('ledger-conditions', ofTable('ConditionalCheckFailedRequests'), {
      from: manyConflicts.conditions,
      says: 'Many changes of the ledger did not hold: workers contend for the same episodes or slots.',
    })
    this.#add('ledger-conflicts', ofTable('TransactionConflict'), {
      from: manyConflicts.transactions,
      says: 'Many changes of the ledger met another of the same item, and were made again.',
    })
    const dimensionsMap = { service: 'espalier', stage }
    const busy = { namespace: 'Espalier', metricName: 'StorageRefusals', dimensionsMap, period }
    this.#add('storage-refused', new Metric({ ...busy, statistic: Stats.SUM }), {
      from: 100,
      says: 'S3 or DynamoDB answered many calls with a 5xx, SlowDown or throttling. They were made again, more slowly.',
    })
  }

  #add(name: string, metric: Metric, { says, from = 1 }: { says: string; from?: number }): void {
    const alarm = new Alarm(this, name, {
      alarmName: `${Stack.of(this).stackName}-${name}`,
      alarmDescription: says,
      metric,
      threshold: from,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    })
    this.#mail(alarm)
  }

  #mail(alarm: Alarm): void {
    if (this.#topic !== null) alarm.addAlarmAction(new SnsAction(this.#topic))
  }

  /**
   * Not encrypted with Amazon's key for SNS, which alarms may not use. Messages hold only the alarm's name and text.
   */
  #createTopic(mail: string): Topic {
    const topic = new Topic(this, 'Topic', {
      topicName: `${Stack.of(this).stackName}-alarms`,
      enforceSSL: true,
    })
    topic.addSubscription(new EmailSubscription(mail))
    topic.addToResourcePolicy(
      new PolicyStatement({
        actions: ['sns:Publish'],
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    )
    Validations.of(topic).acknowledge({
      id: 'Serverless-SNSRedrivePolicy',
      reason: 'SNS tries a mail again by itself, and the alarm stands in the console whether it came or not.',
    })
    return topic
  }

  /** A budget of the whole account: one of a tag sees nothing until the tag is activated for billing. */
  #addBudget(amount: number, mail: string | undefined): void {
    new CfnBudget(this, 'Budget', {
      budget: {
        // Budgets belong to the account, across regions. Another recipient replaces the budget, so its name changes too.
        budgetName: `${Stack.of(this).stackName}-${Aws.REGION}${mail === undefined ? '' : `-${digestOf(mail)}`}`,
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount, unit: 'USD' },
      },
      notificationsWithSubscribers:
        mail === undefined
          ? undefined
          : [80, 100].map((threshold) => ({
              notification: {
                notificationType: 'ACTUAL',
                comparisonOperator: 'GREATER_THAN',
                threshold,
                thresholdType: 'PERCENTAGE',
              },
              subscribers: [{ subscriptionType: 'EMAIL', address: mail }],
            })),
    })
  }
}

function digestOf(mail: string): string {
  return hash('sha256', mail, 'hex').slice(0, 8)
}
