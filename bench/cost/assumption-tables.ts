import { assumptions } from './assumptions.ts'
import type { Table } from './markdown-tables.ts'
import { prices } from './prices.ts'

export function assumptionTable(): Table {
  const { api, builder, desktop, flood, host, idle, latency, logs, races, waits, worker } = assumptions
  const rows: [string, number][] = [
    [
      "Seconds of a model's answer, at least (the rest is exponentially distributed)",
      latency.leastShare * latency.mean,
    ],
    ['… on average', latency.mean],
    ['Seconds beside the model, for each segment of a journal', waits.segment],
    ["… at an episode's start", waits.start],
    ['… at its end', waits.end],
    ["… of an invocation, beside its episodes'", worker.overhead],
    ['Episodes of one invocation, when so many are queued together', worker.batch],
    ['Invocations at once (`maxConcurrency`)', worker.concurrency],
    ['MB of `advance-episodes`', worker.memory],
    ['Seconds that answers wait for others', worker.gather],
    ['Seconds between heartbeats', worker.heartbeat],
    ['Seconds between looks at the run', worker.look],
    ["How often an episode's end meets another change of the run", races.tries],
    ['Bytes logged for an episode', logs.episode],
    ['… for an invocation', logs.invocation],
    ['Requests to the API for 1,000 episodes', api.requests],
    ['Seconds of an answer without a key', flood.answer],
    ['MB of the largest', flood.file],
    ["… of the dashboard's largest file, without compression", flood.page],
    ["Seconds of the authorizer's look", flood.look],
    ['Bytes of an access log line', flood.line],
    ['MB of `build-dataset`', builder.memory],
    ['Seconds in which it reads an episode', builder.episode],
    ['Episodes that it reads at once', builder.atOnce],
    ['Seconds of an invocation beside them', builder.overhead],
    ['Pollers of each queue', idle.pollers],
    ['Seconds that an empty poll waits', idle.poll],
    ['Seconds of a function that is called every minute', idle.seconds],
    ['GB of images', idle.images],
    ['vCPUs of a host', host.cpu],
    ['GB of a host', host.memory],
    ['vCPUs of a desktop', desktop.cpu],
    ['GB of a desktop', desktop.memory],
  ]
  return [['Taken for granted', 'value'], ...rows.map(([what, value]) => [what, String(value)])]
}

export function priceTable(): Table {
  const { api, dynamodb, fargate, lambda, list, s3, sqs } = prices
  const confirmed: [string, number][] = [
    ['Lambda on ARM: a million GB-seconds', Math.round(lambda.gb_second * 1e10) / 1e4],
    ['… a million requests', lambda.requests],
    ['S3: a million PUT or LIST requests', s3.writes],
    ['… a million GET requests', s3.reads],
    ['… a GB for a month', s3.storage],
    ['DynamoDB on demand: a million write units', dynamodb.writes],
    ['… a million read units', dynamodb.reads],
    ['SQS, fair: a million requests', sqs.fair],
    ['… a million empty polls', sqs.standard],
    ['HTTP API: a million requests', api.requests],
    ['Fargate on ARM: a vCPU for an hour', fargate.cpu],
    ['… a GB for an hour', fargate.memory],
    ['… Spot, as a share of that', fargate.spot],
    ['A public address for an hour', fargate.address],
  ]
  const unconfirmed: [string, number][] = [
    ['DynamoDB: a GB for a month', list.table_storage],
    ['… its continuous backup', list.table_backup],
    ['CloudWatch: an alarm for a month', list.alarm],
    ["… a metric of one's own for a month", list.metric],
    ['… a dashboard for a month', list.dashboard],
    ['… a GB of logs', list.logs],
    ['X-Ray: a million traces', list.traces],
    ['Secrets Manager: a secret for a month', list.secret],
    ['ECR: a GB of images for a month', list.images],
    ['A GB that leaves AWS', list.traffic],
  ]
  return [
    ['us-east-1', 'US dollars', 'source'],
    ...confirmed.map(([what, price]) => [what, String(price), 'looked up']),
    ...unconfirmed.map(([what, price]) => [what, String(price), 'assumed']),
  ]
}
