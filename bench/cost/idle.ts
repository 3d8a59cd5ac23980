import { assumptions } from './assumptions.ts'
import { costOf } from './cost-of.ts'
import type { Operations } from './operations.ts'
import { prices } from './prices.ts'

export interface Declared {
  alarms: number
  dashboards: number
  mappings: number
  minutely: { name: string; memory: number; traced: boolean }[]
}

export const declared: Declared = {
  alarms: 25,
  dashboards: 1,
  mappings: 7,
  minutely: [
    { name: 'sweep', memory: 512, traced: false },
    { name: 'scale-hosts', memory: 256, traced: false },
  ],
}

export interface IdleLine {
  what: string
  without: string | null
  /**
   * Dollars per month at list price, and after AWS's permanent allowance for every account, if nothing else uses it.
   */
  list: number
  allowed: number
}

const allowances = {
  alarms: 10,
  dashboards: 3,
  queue_requests: 1e6,
  lambda_requests: 1e6,
  lambda_gb_seconds: 400_000,
  log_bytes: 5e9,
  traces: 100_000,
}

export function idleCost(
  { alarms, dashboards, mappings, minutely }: Declared,
  minute: Operations,
): IdleLine[] {
  const { idle, month } = assumptions
  const minutes = month.hours * 60
  const polls = mappings * idle.pollers * (60 / idle.poll) * minutes
  const invocations = minutely.length * minutes
  const gigabyteSeconds = minutely.reduce(
    (all, { memory }) => all + (memory / 1024) * idle.seconds * minutes,
    0,
  )
  const logged = invocations * idle.logged
  const traced = minutely.filter(({ traced }) => traced).length * minutes
  const { list, sqs, lambda } = prices

  return [
    {
      ...line("CloudWatch's dashboard", dashboards, list.dashboard, allowances.dashboards),
      without: "CloudWatch's dashboard (`--no-dashboard`)",
    },
    line(`Polling of ${mappings} queues`, polls, sqs.standard / 1e6, allowances.queue_requests),
    line(`${alarms} alarms`, alarms, list.alarm, allowances.alarms),
    ...(traced === 0
      ? []
      : [line('Traces of the functions called every minute', traced, list.traces / 1e6, allowances.traces)]),
    line(
      'Invocations of the functions called every minute',
      invocations,
      lambda.requests / 1e6,
      allowances.lambda_requests,
    ),
    line('Their time', gigabyteSeconds, lambda.gb_second, allowances.lambda_gb_seconds),
    line('Their logs', logged, list.logs / 1e9, allowances.log_bytes),
    line('Their looks at the ledger', minutes, costOf(minute).dynamodb, 0),
    {
      ...line(`${idle.secrets} secret with the key of a model`, idle.secrets, list.secret, 0),
      without: 'the secret (`api_key_parameter`)',
    },
    line('Images of the hosts', idle.images, list.images, 0),
  ]
}

function line(what: string, amount: number, price: number, allowance: number): IdleLine {
  return { what, without: null, list: amount * price, allowed: Math.max(0, amount - allowance) * price }
}
