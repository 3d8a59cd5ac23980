import { pagesOf } from '../../core/world/pages-of.ts'
import type { Ledger, LedgerChange, LedgerCondition } from '../../core/world/ports.ts'
import { type HostRow, hostKeys, toHostRow } from './host-row.ts'

export const leaseDuration = 900_000

/** The registry of hosts, for all who lease their slots. Only the fleet writes it; hosts do not know it. */
export class HostRegistry {
  readonly #ledger: Ledger

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  async get(id: string): Promise<HostRow | null> {
    const item = await this.#ledger.get(hostKeys.host(id))
    return item && toHostRow(item)
  }

  async list(image?: string): Promise<HostRow[]> {
    const rows: HostRow[] = []
    for await (const items of pagesOf(this.#ledger, 'hosts'))
      rows.push(...items.map(({ item }) => toHostRow(item)))
    return image === undefined ? rows : rows.filter((row) => row.image === image)
  }

  async enter(row: HostRow): Promise<void> {
    await this.#ledger.update({ key: hostKeys.host(row.id), set: row, if: [{ is: 'absent' }] })
  }

  async note(id: string, seen: Partial<Omit<HostRow, 'id' | 'image' | 'status'>>): Promise<void> {
    await this.#ledger.update({ key: hostKeys.host(id), set: seen, if: [{ is: 'present' }] })
  }

  async open(id: string): Promise<void> {
    const starting = { attribute: 'status', is: 'equal', value: 'starting' } as const
    await this.#ledger.update({ key: hostKeys.host(id), set: { status: 'running' }, if: [starting] })
  }

  /**
   * Closes a host permanently if none of its slots is leased. A lessee leases a slot first and then reads the host's
   * status. This marks the host first and then reads the leases. So one of the two sees the other. Marks carry the
   * name of the pass, because another pass may handle the same host.
   * @returns false if one is leased; the host stays open
   */
  async close(id: string, pass: string, now: number): Promise<boolean> {
    const key = hostKeys.host(id)
    const mine: LedgerCondition = { attribute: 'marked_by', is: 'equal', value: pass }
    const open: LedgerCondition = {
      attribute: 'status',
      is: 'one_of',
      values: ['starting', 'running', 'leaving'],
    }
    const marked = await this.#ledger.update({ key, set: { status: 'leaving', marked_by: pass }, if: [open] })
    if (!marked.ok) return marked.item?.status === 'stopping'
    if ((await this.countLeases(id, now)) > 0) {
      await this.#ledger.update({ key, set: { status: 'running' }, if: [mine] })
      return false
    }
    return (await this.#ledger.update({ key, set: { status: 'stopping' }, if: [mine] })).ok
  }

  async giveUp(id: string): Promise<void> {
    await this.#ledger.update({
      key: hostKeys.host(id),
      set: { status: 'stopping' },
      if: [{ is: 'present' }],
    })
  }

  async remove(id: string): Promise<void> {
    const { partition } = hostKeys.slot(id, '')
    for await (const items of pagesOf(this.#ledger, partition, 100)) {
      const changes = items.map(({ sort }): LedgerChange => ({ key: hostKeys.slot(id, sort), delete: true }))
      if (changes.length > 0) await this.#ledger.transact(changes)
    }
    await this.#ledger.update({ key: hostKeys.host(id), delete: true })
  }

  async countLeases(id: string, now: number): Promise<number> {
    return (await this.holders(id, now)).length
  }

  async holders(id: string, now: number): Promise<unknown[]> {
    // A lease valid for longer than any is was made before the clock was set back: it can be taken over.
    const isValid = (end: unknown) => typeof end === 'number' && end > now && end <= now + 2 * leaseDuration
    const holders: unknown[] = []
    for await (const items of pagesOf(this.#ledger, hostKeys.slot(id, '').partition)) {
      const valid = items.filter(({ item }) => isValid(item.expires_at))
      holders.push(...valid.map(({ item }) => item.holder))
    }
    return holders
  }
}
