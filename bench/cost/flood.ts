import { assumptions } from './assumptions.ts'
import { costOf } from './cost-of.ts'
import { dollars } from './dollars.ts'
import type { Table } from './markdown-tables.ts'
import { sum } from './operations.ts'
import { prices } from './prices.ts'

/** Lambda's active tracing records 5 % of many requests. */
const tracedShare = 0.05

interface Flood {
  rate: number
  memory: number
  seconds: number
  reads: number
  megabytes: number
}

function perHour({ rate, memory, seconds, reads, megabytes }: Flood): number {
  const requests = rate * 3600
  const { logs, flood } = assumptions
  const operations = sum({
    api_requests: requests,
    lambda_requests: requests,
    lambda_gb_seconds: (requests * seconds * memory) / 1024,
    ledger_reads: requests * reads,
    log_bytes: requests * (logs.invocation + flood.line),
    traces: requests * tracedShare,
  })
  return costOf(operations).total + (requests * megabytes * prices.list.traffic) / 1000
}

export function floodTable(): Table {
  const { answer, authorizer, file, look, page, rates, shows } = assumptions.flood
  const { memory } = assumptions.api
  const floods: [string, Flood][] = [
    [
      'Short answers without a key',
      {
        rate: rates.short,
        memory,
        seconds: answer,
        reads: 0,
        megabytes: 0.001,
      },
    ],
    [
      'Files without a key',
      {
        rate: rates.files,
        memory,
        seconds: answer,
        reads: 0,
        megabytes: file,
      },
    ],
    [
      'Files of the dashboard by the API (`--no-cloudfront`)',
      { rate: rates.pages, memory: shows, seconds: answer, reads: 0, megabytes: page / 4 },
    ],
    [
      'Wrong keys, each another',
      { rate: rates.keyed, memory: authorizer, seconds: look, reads: 1, megabytes: 0.001 },
    ],
  ]
  const total = floods.reduce((all, [, flood]) => all + perHour(flood), 0)
  return [
    ['A flood', 'requests a second at most', 'an hour', 'a day'],
    ...floods.map(([what, flood]) => [
      what,
      String(Math.round(flood.rate * 10) / 10),
      dollars(perHour(flood)),
      dollars(24 * perHour(flood)),
    ]),
    ['**All at once**', '', dollars(total), dollars(24 * total)],
  ]
}
