import type { ScorerIdentity } from '../../core/contracts/judgement.ts'
import { ledgerKeys } from '../../core/engine/keys.ts'
import type { Ledger } from '../../core/world/ports.ts'

export type ScoringRow = {
  by: ScorerIdentity
  /** The id of the scoring; its run's id ends alike. */
  scoring: string
  closed: boolean
  total: number
  skipped: number
  collected: number
  scored: number
  errors: number
}

export class ScoringLedger {
  readonly #ledger: Ledger

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  async get(run: string, name: string): Promise<ScoringRow | null> {
    return (await this.#ledger.get(ledgerKeys.scoring(run, name))) as unknown as ScoringRow | null
  }

  /** @param before - the scoring that it replaces. @returns whether that was still the present one */
  async start(run: string, name: string, row: ScoringRow, before: ScoringRow | null): Promise<boolean> {
    const { ok } = await this.#ledger.update({
      key: ledgerKeys.scoring(run, name),
      set: { ...row, by: { ...row.by } },
      if: [before === null ? { is: 'absent' } : { attribute: 'scoring', is: 'equal', value: before.scoring }],
    })
    return ok
  }

  async remove(run: string, name: string, { scoring }: ScoringRow): Promise<void> {
    await this.#ledger.update({
      key: ledgerKeys.scoring(run, name),
      delete: true,
      if: [{ attribute: 'scoring', is: 'equal', value: scoring }],
    })
  }

  /** Changes the row if its `collected` has not grown since. @returns the resulting row */
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
