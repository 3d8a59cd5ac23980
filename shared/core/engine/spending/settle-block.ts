import type { TokensAndCost } from '../../contracts/usage.ts'
import type { LedgerCondition, World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import { type BlockRow, callId, withoutUnseen } from './call-block.ts'
import { addCounted, countCall, nothingCounted, type Spent } from './counted.ts'

/**
 * Asks an endpoint for the outcome of a call whose answer was lost: its cost, `unseen` if it has not arrived,
 * `unknown` if the endpoint keeps no log, `unreachable` if its log does not answer at present.
 */
export type ReconcileCall = (
  model: Pick<BlockRow, 'endpoint' | 'model'>,
  call: string,
) => Promise<TokensAndCost | 'unseen' | 'unknown' | 'unreachable'>

export interface BlockWait {
  waited: number
}

/**
 * Milliseconds after which an answer is final. A request may reach an endpoint after its sender has died, so only a
 * second check takes a call for unseen. After this long, calls of an unreachable log count in full.
 */
const finalAfter = { unseen: 10_000, unreachable: 600_000 }

/**
 * Counts the calls that a dead worker left reserved: from the endpoint's own log if it keeps one, and else at each
 * call's upper bound. Idempotent: a second time, and for a block that has changed since it was read, nothing changes.
 * @param options.mayReturn - if the worker may only have stood still, its unseen calls stay in the ledger without a
 * reserve, so that it counts them if it sends them after all
 * @returns `kept` if the endpoint's answers are not final yet: a later sweep asks again; `unseen` if such calls stay
 */
export async function settleBlock(
  world: World,
  worker: string,
  first: string,
  row: BlockRow,
  { mayReturn, reconcile, waited }: BlockWait & { mayReturn: boolean; reconcile: ReconcileCall },
): Promise<'counted' | 'unseen' | 'kept'> {
  let counted = nothingCounted
  const unseen: number[] = []
  for (const [index, call] of row.calls.entries()) {
    const share = { cost: part(row.cost, index, row.calls), tokens: part(row.tokens, index, row.calls) }
    const known = await reconcile(row, callId(worker, call))
    if ((known === 'unseen' || known === 'unreachable') && waited < finalAfter[known]) return 'kept'
    if (known === 'unseen') unseen.push(call)
    counted = addCounted(counted, countCall(toSpent(known), share))
  }
  const key = ledgerKeys.reservation(worker, first)
  // A slow worker may count calls of the block meanwhile, and the block then holds less.
  const asRead: LedgerCondition[] = [
    { attribute: 'cost', is: 'equal', value: row.cost },
    { attribute: 'tokens', is: 'equal', value: row.tokens },
  ]
  const stays = mayReturn && unseen.length > 0
  const rest = stays
    ? { set: { calls: unseen, cost: 0, tokens: 0, unseen: unseen.length } }
    : { delete: true as const }
  await world.ledger.transact([
    { key, ...rest, if: asRead },
    { key: ledgerKeys.spending(row.run, worker), add: { ...counted } },
  ])
  return stays ? 'unseen' : 'counted'
}

/**
 * Counts an unseen call that arrived after all: its worker sent it when it went on, and died before it counted it.
 * @returns `kept` if a later sweep must ask again
 */
export async function countArrived(
  world: World,
  worker: string,
  first: string,
  row: BlockRow,
  { reconcile, waited }: BlockWait & { reconcile: ReconcileCall },
): Promise<'unseen' | 'kept'> {
  let isFinal = true
  for (const call of row.calls) {
    const known = await reconcile(row, callId(worker, call))
    if (typeof known === 'string') {
      if (known !== 'unknown' && waited < finalAfter[known]) isFinal = false
      continue
    }
    const nothing = { cost: 0, tokens: 0 }
    const key = ledgerKeys.reservation(worker, first)
    await world.ledger.transact([
      withoutUnseen(key, row, call),
      { key: ledgerKeys.spending(row.run, worker), add: { ...countCall(toSpent(known), nothing) } },
    ])
    // The row has changed; the next sweep looks at the others.
    return 'kept'
  }
  return isFinal ? 'unseen' : 'kept'
}

function toSpent(known: Awaited<ReturnType<ReconcileCall>>): Spent {
  if (known === 'unseen') return null
  return known === 'unknown' || known === 'unreachable' ? 'in full' : { ...known, lost: true }
}

function part(amount: number, index: number, { length }: readonly unknown[]): number {
  return Math.floor(amount / length) + (index === 0 ? amount % length : 0)
}
