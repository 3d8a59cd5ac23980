import type { ScorerIdentity } from '../contracts/judgement.ts'
import { ledgerKeys } from '../engine/keys.ts'
import type { Ledger } from '../world/ports.ts'

/** The last scoring by a rubric under a name of a run. */
export type ScoringRow = {
  by: ScorerIdentity
  /** The id of the scoring; its run's id ends alike. */
  scoring: string
  /** Whether all that its run answered is stored. */
  closed: boolean
  total: number
  skipped: number
  /** How many of its run's episodes are stored, from the first on, and what they came to. */
  collected: number
  scored: number
  errors: number
}

/** Where scorings by rubrics are remembered, one for each run and name. */
export class ScoringLedger {
  readonly #ledger: Ledger

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  async get(run: string, name: string): Promise<ScoringRow | null> {
    return (await this.#ledger.get(ledgerKeys.scoring(run, name))) as unknown as ScoringRow | null
  }

  /** @param before - the scoring that it takes the place of. @returns whether it was still that one */
  async start(run: string, name: string, row: ScoringRow, before: ScoringRow | null): Promise<boolean> {
    const { ok } = await this.#ledger.update({
      key: ledgerKeys.scoring(run, name),
      set: { ...row, by: { ...row.by } },
      if: [before === null ? { is: 'absent' } : { attribute: 'scoring', is: 'equal', value: before.scoring }],
    })
    return ok
  }

  /** Forgets a scoring whose run could not be started. */
  async remove(run: string, name: string, { scoring }: ScoringRow): Promise<void> {
    await this.#ledger.update({
      key: ledgerKeys.scoring(run, name),
      delete: true,
      if: [{ attribute: 'scoring', is: 'equal', value: scoring }],
    })
  }

  /** Changes the row as long as it has collected no more than it says. @returns the row as it stands then */
  async change(
    run: string,
    name: string,
    row: ScoringRow,
    set: Omit<ScoringRow, 'by' | 'scoring' | 'skipped' | 'total'>,
  ): Promise<ScoringRow> {
    const changed = await this.#ledger.update({
      key: ledgerKeys.scoring(run, name),
      set,
      if: [
        { attribute: 'scoring', is: 'equal', value: row.scoring },
        { attribute: 'collected', is: 'equal', value: row.collected },
      ],
    })
    return (changed.item ?? row) as unknown as ScoringRow
  }
}
