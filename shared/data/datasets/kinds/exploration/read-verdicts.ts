import { z } from 'zod'
import type { Json } from '../../../../core/contracts/json.ts'
import type { JournalRecord } from '../../../../core/engine/journal-record.ts'
import { readLabelled } from '../../../../play/answers/read-labelled.ts'
import { withoutReasoning } from '../../../../play/answers/reasoning.ts'
import {
  meanStatus,
  readStatus,
  type Status,
  type StatusScale,
  statusScales,
} from '../../../../play/search/values/statuses.ts'

export interface Verdict {
  status: Status
  thought: string
}

const answersSchema = z.object({ choices: z.array(z.object({ content: z.string() })) })
const verdictKey = /^node\/(\d+)\/value\/verdicts(?:\/|$)/

/** The verdicts in a journal. Parses those of a state on demand: most states are in no row. */
export class Verdicts {
  readonly #answers = new Map<number, Json[]>()

  constructor(records: readonly JournalRecord[]) {
    for (const record of records) {
      if (!('effect' in record)) continue
      const node = verdictKey.exec(record.effect)?.[1]
      if (node === undefined) continue
      const answers = this.#answers.get(Number(node))
      if (answers) answers.push(record.result)
      else this.#answers.set(Number(node), [record.result])
    }
  }

  get some(): boolean {
    return this.#answers.size > 0
  }

  of(node: number): Verdict[] {
    return (this.#answers.get(node) ?? [])
      .flatMap((result) => answersSchema.parse(result).choices)
      .flatMap(({ content }) => readVerdict(content) ?? [])
  }
}

function readVerdict(answer: string): Verdict | null {
  const status = readStatus(answer)
  if (status === null) return null
  const [before = ''] = withoutReasoning(answer).split(/^.*status[\s_]*code/im, 1)
  return { status, thought: oneLine(readLabelled(before, 'Thoughts') ?? before) }
}

export function thoughtsOf(verdicts: readonly Verdict[]): string[] {
  return [...new Set(verdicts.map(({ thought }) => thought).filter((thought) => thought !== ''))]
}

/**
 * The reasons of the verdict nearest to the state's value, of equals the first; null without any. Grades count by the
 * scale whose mean is nearest to the value: the scale that produced it.
 */
export function nearestThought(verdicts: readonly Verdict[], value: number): string | null {
  const reasoned = verdicts.filter(({ thought }) => thought !== '')
  if (reasoned.length === 0) return null
  const statuses = verdicts.map(({ status }) => status)
  const scales = Object.keys(statusScales) as StatusScale[]
  const scale = leastBy(scales, (each) => Math.abs(meanStatus(statuses, each) - value))
  return leastBy(reasoned, ({ status }) => distance(statusScales[scale][status], value)).thought
}

/** Rounded: equal distances on either side of the value may differ in their last bit. */
function distance(worth: number, value: number): number {
  return Math.round(Math.abs(worth - value) * 1e9)
}

function leastBy<Item>(items: readonly Item[], measure: (item: Item) => number): Item {
  return items.reduce((best, item) => (measure(item) < measure(best) ? item : best))
}

function oneLine(text: string): string {
  return text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/action(?: 1)?:/gi, 'action')
}
