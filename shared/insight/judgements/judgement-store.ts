import { EspalierError } from '../../core/contracts/errors.ts'
import type { EpisodeJudgement, JudgeIdentity, JudgementFilter } from '../../core/contracts/judgement.ts'
import { ledgerKeys } from '../../core/engine/keys.ts'
import { unknownRun } from '../../core/engine/runs/run-store.ts'
import { pagesOf } from '../../core/world/pages-of.ts'
import type { Ledger, LedgerChange, LedgerItem } from '../../core/world/ports.ts'

export type StoredJudgement = EpisodeJudgement & { end: string }

export type NewJudgement = Omit<StoredJudgement, 'id' | 'object'>

/** The maximum of one transaction, with the run's item and the name's beside them. */
const mostAtOnce = 90

/**
 * The judgements of runs, as items of the ledger beside each run. There is one for each name, episode, node and
 * judge. A person's later judgement replaces the earlier one, and a scorer's replaces that of any earlier scorer.
 */
export class JudgementStore {
  readonly #ledger: Ledger

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  /**
   * Stores judgements of one run under one name, by people or by scorers. If this throws, some of many may be stored.
   * @throws EspalierError `not_found` if the run is deleted or being deleted; `conflict` if the name is in use for
   * the other kind
   */
  async put(judgements: readonly NewJudgement[]): Promise<StoredJudgement[]> {
    const placed = judgements.map((judgement): StoredJudgement => {
      const id = judgementId(judgement)
      return { id, object: 'judgement', ...judgement }
    })
    const [first] = placed
    if (first === undefined) return []
    const { by, name, run } = first
    for (let at = 0; at < placed.length; at += mostAtOnce) {
      await this.#putSome({ run, name, kind: by.kind }, placed.slice(at, at + mostAtOnce))
    }
    return placed
  }

  /**
   * Reserves a name for people or scorers, before the first judgement under it.
   * @throws EspalierError as {@link put}
   */
  async claimName(run: string, name: string, kind: JudgeIdentity['kind']): Promise<void> {
    await this.#putSome({ run, name, kind }, [])
  }

  async remove(run: string, id: string): Promise<boolean> {
    const change: LedgerChange = {
      key: ledgerKeys.judgement(run, id),
      delete: true,
      if: [{ is: 'present' }],
    }
    return (await this.#ledger.update(change)).ok
  }

  async *read(run: string, filter: JudgementFilter = {}, after?: string): AsyncGenerator<StoredJudgement> {
    const { partition } = ledgerKeys.judgement(run, '')
    for (const prefix of await this.#prefixes(run, filter)) {
      if (after !== undefined && after > prefix && !after.startsWith(prefix)) continue
      let last = after?.startsWith(prefix) ? after : undefined
      for (let more = true; more; ) {
        const page = await this.#ledger.query(partition, {
          ...(prefix !== '' && { prefix }),
          ...(last !== undefined && { after: last }),
        })
        for (const { item, sort } of page.items) {
          const judgement = toJudgement(sort, item)
          if (passes(judgement, filter)) yield judgement
        }
        last = page.items.at(-1)?.sort
        more = page.more
      }
    }
  }

  async #putSome(
    { kind, name, run }: { run: string; name: string; kind: JudgeIdentity['kind'] },
    judgements: readonly StoredJudgement[],
  ): Promise<void> {
    const key = ledgerKeys.scoreName(run, name)
    for (;;) {
      const named = await this.#ledger.get(key)
      if (named !== null && named.kind !== kind) throw takenName(name, String(named.kind))
      const { ok, failed } = await this.#transact([
        {
          key: ledgerKeys.run(run),
          if: [{ is: 'present' }, { is: 'absent', attribute: 'deleting' }],
        },
        named === null
          ? { key, set: { kind }, if: [{ is: 'absent' }] }
          : { key, if: [{ attribute: 'kind', is: 'equal', value: kind }] },
        ...judgements.map(({ id, object: _, ...stored }): LedgerChange => {
          return { key: ledgerKeys.judgement(run, id), set: { ...stored, by: { ...stored.by } } }
        }),
      ])
      if (ok) return
      if (failed === 0) throw unknownRun(run)
    }
  }

  async #transact(changes: LedgerChange[]): Promise<{ ok: boolean; failed: number | null }> {
    const written = await this.#ledger.transact(changes)
    return { ok: written.ok, failed: written.ok ? null : written.failed }
  }

  async #prefixes(run: string, { episode, name }: JudgementFilter): Promise<string[]> {
    if (name !== undefined) return [`${name}/${episode === undefined ? '' : `${episode}/`}`]
    if (episode === undefined) return ['']
    const names: string[] = []
    for await (const page of pagesOf(this.#ledger, ledgerKeys.scoreName(run, '').partition)) {
      names.push(...page.map(({ sort }) => sort))
    }
    return names.map((each) => `${each}/${episode}/`).toSorted((left, right) => (left < right ? -1 : 1))
  }
}

/** An id sorts by name, episode and node, the whole episode before its nodes. */
export function judgementId({
  by,
  episode,
  name,
  node,
}: Pick<NewJudgement, 'by' | 'episode' | 'name' | 'node'>): string {
  const place = node === null ? '-' : String(node).padStart(9, '0')
  const judge = by.kind === 'scorer' ? by.kind : `person:${encodeURIComponent(by.name)}`
  return `${name}/${episode}/${place}/${judge}`
}

function toJudgement(id: string, item: LedgerItem): StoredJudgement {
  return { ...(item as unknown as NewJudgement), id, object: 'judgement' }
}

function passes({ by }: StoredJudgement, filter: JudgementFilter): boolean {
  return (
    (filter.kind === undefined || by.kind === filter.kind) &&
    (filter.by === undefined || (by.kind === 'person' && by.name === filter.by))
  )
}

function takenName(name: string, kind: string): EspalierError {
  const whose = kind === 'person' ? 'people’s' : 'a scorer’s'
  return new EspalierError(
    'conflict',
    `In this run the name "${name}" is ${whose}: people and scorers never share one, so that each can be compared with the other. Choose another name.`,
    { param: 'name' },
  )
}
