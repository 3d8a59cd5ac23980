import { rightsOf } from './policies.ts'
import type { Resource, Synthesised } from './synthesise.ts'

/**
 * The names of the functions that what they send may invoke again: over queues, over the dead letters of these, and over functions that
 * they may invoke themselves.
 */
export function functionsInLoops(stage: Synthesised): string[] {
  const functions = stage.ofType('AWS::Lambda::Function')
  const reached = new Map(stage.resources.map(({ id }) => [id, new Set<string>()]))
  const lead = (from: string, to: readonly Resource[]) => {
    for (const { id } of to) reached.get(from)?.add(id)
  }
  const named = (among: Resource[], text: unknown) => {
    const words = JSON.stringify(text)
    return among.filter(({ id }) => words.includes(`"${id}"`))
  }
  const queues = stage.ofType('AWS::SQS::Queue')
  for (const { id, Properties } of functions) {
    for (const { actions, resources } of rightsOf(stage, String(Properties.FunctionName))) {
      if (actions.includes('sqs:SendMessage')) lead(id, named(queues, resources))
      if (actions.includes('lambda:InvokeFunction')) lead(id, named(functions, resources))
    }
  }
  for (const { id, Properties } of queues) lead(id, named(queues, Properties.RedrivePolicy ?? null))
  for (const { Properties } of stage.ofType('AWS::Lambda::EventSourceMapping')) {
    const fed = named(functions, Properties.FunctionName)
    for (const { id } of named(queues, Properties.EventSourceArn)) lead(id, fed)
  }
  return functions
    .filter(({ id }) => isReached(reached, id))
    .map(({ Properties }) => String(Properties.FunctionName))
}

function isReached(next: ReadonlyMap<string, ReadonlySet<string>>, start: string): boolean {
  const seen = new Set<string>()
  const open = [start]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const other of next.get(id) ?? []) {
      if (other === start) return true
      if (seen.has(other)) continue
      seen.add(other)
      open.push(other)
    }
  }
  return false
}
