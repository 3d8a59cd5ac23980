import { hostname } from 'node:os'
import packageFile from '../package.json' with { type: 'json' }
import type { WorkerMachine } from '../shared/core/contracts/machine.ts'

export type MachineOptions = Pick<WorkerMachine, 'kind' | 'capacity'> & {
  labels?: readonly string[]
  endpoints?: Iterable<string>
  environments?: Iterable<string>
  methods?: Iterable<string>
}

const mostNames = 1000

export function describeMachine(options: MachineOptions): WorkerMachine {
  const { capacity, endpoints = [], environments = [], kind, labels = [], methods = [] } = options
  const first = (names: Iterable<string>) => [...names].slice(0, mostNames)
  return {
    kind,
    host: hostname() || 'unknown',
    version: packageFile.version,
    labels: [...new Set(labels)],
    capacity,
    started_at: new Date().toISOString(),
    endpoints: first(endpoints),
    environments: first(environments),
    methods: first(methods),
  }
}
