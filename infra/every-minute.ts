import { Duration, Validations } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import type { Construct } from 'constructs'
import type { ServiceFunction } from './service-function.ts'

export const rarelyBusy =
  'It is called every minute, mostly to find nothing: its traces would cost more than its work.'

/**
 * Two invocations in a minute do no harm: both functions are idempotent. No reserved concurrency, which new accounts
 * lack.
 */
export function everyMinute(scope: Construct, target: ServiceFunction): void {
  const rule = new Rule(scope, `${target.node.id}EveryMinute`, {
    description: `Calls ${target.lambda.functionName}`,
    schedule: Schedule.rate(Duration.minutes(1)),
    targets: [new LambdaFunction(target.lambda, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
  })
  target.lambda.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) })
  const reason = 'The invocation of the next minute does what a failed one left; failures raise an alarm.'
  Validations.of(rule).acknowledge({ id: 'Serverless-EventBusDLQ', reason })
  Validations.of(target.lambda).acknowledge({ id: 'Serverless-LambdaAsyncFailureDestination', reason })
}
