import { z } from 'zod'
import { machineLoadSchema, machineSchema } from '../../contracts/machine.ts'
import type { LedgerChange, LedgerCondition } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import {
  type CheckedChanges,
  hasOnly,
  isAmount,
  type LedgerGuard,
  namesOnly,
  ratesKey,
  refusedTo,
  removesOnly,
} from './change-checks.ts'
import type { JoinedWorker } from './join-gateway.ts'

const answerCounts = ['answers', 'cut', 'empty', 'reasoned', 'called']
const rateNames = ['revision', 'requests_at', 'tokens_at']
const longestLease = 600_000
const longestCode = 128

export async function checkOwnChange(guard: LedgerGuard, change: LedgerChange): Promise<CheckedChanges> {
  const { book, worker } = guard
  const { partition, sort } = change.key
  const [family = '', name = '', part] = partition.split('/')
  const doing = `change "${partition}"`
  if (partition === 'workers' && sort === worker.name) {
    hasOnly(change, ['set', 'remove', 'delete', 'if'], doing)
    namesOnly(change.set, ['expires', 'code', 'machine', 'load'], doing)
    removesOnly(change, ['settled', 'found_dead_at'], doing)
    return [announcedBy(worker, change, doing)]
  } else if (partition === `holdings/${worker.name}`) {
    hasOnly(change, ['set', 'delete'], doing)
    namesOnly(change.set, ['run'], doing)
    await book.checkTenant(sort)
    if (!change.delete && !(await book.hasRun(sort))) throw refusedTo(doing)
  } else if (partition === 'rates') {
    hasOnly(change, ['set', 'if'], doing)
    namesOnly(change.set, rateNames, doing)
    return [{ ...change, key: ratesKey(worker, change.key) }]
  } else if (family === 'tenant' && name === worker.tenant && part === 'turns')
    await checkTurn(guard, change, doing)
  else if (family === 'run') {
    await book.checkTenant(name)
    if (part === 'turns') await checkTurn(guard, change, doing)
    else if (!(await book.hasRun(name))) throw refusedTo(doing)
    else if (part === 'answers') {
      hasOnly(change, ['add'], doing)
      namesOnly(change.add, answerCounts, doing)
      if (!Object.values(change.add ?? {}).every(isAmount)) throw refusedTo(doing)
    } else if (part === undefined && sort === 'preflight') checkLease(guard, change, doing)
    else throw refusedTo(doing)
  } else throw refusedTo(doing)
  return [change]
}

/** The row names the key's tenant, whose runs alone the worker's labels can serve. */
function announcedBy({ tenant }: JoinedWorker, change: LedgerChange, doing: string): LedgerChange {
  const { code, machine, load } = change.set ?? {}
  const isMachine =
    machine === undefined || machineSchema.extend({ kind: z.literal('joined') }).safeParse(machine).success
  const isLoad = load === undefined || machineLoadSchema.safeParse(load).success
  const isCode = code === undefined || (typeof code === 'string' && code.length <= longestCode)
  if (!isMachine || !isLoad || !isCode) throw refusedTo(doing)
  return change.set === undefined ? change : { ...change, set: { ...change.set, tenant } }
}

async function checkTurn({ world, book, worker }: LedgerGuard, change: LedgerChange, doing: string) {
  if (change.delete) {
    hasOnly(change, ['delete', 'if'], doing)
    const holder = equalTo(change.if, 'worker')
    const turn = await world.ledger.get(change.key)
    if (turn === null || turn.worker !== holder || holder === worker.name) {
      if (holder === undefined) throw refusedTo(doing)
      return
    }
    const held = await world.ledger.get(ledgerKeys.holding(String(holder), String(turn.run)))
    if (held !== null) throw refusedTo(doing)
    return
  }
  hasOnly(change, ['set', 'if'], doing)
  const { call_cost, call_tokens } = change.set ?? {}
  if (isAmount(call_cost) && isAmount(call_tokens) && equalTo(change.if, 'worker') === worker.name) {
    namesOnly(change.set, ['call_cost', 'call_tokens'], doing)
    return
  }
  namesOnly(change.set, ['run', 'episode', 'worker', 'take'], doing)
  const { run, episode, worker: holder } = change.set ?? {}
  const isFree = change.if?.some((one) => one.is === 'absent' && one.attribute === undefined)
  const isOwn = holder === worker.name && (await book.hasEpisode(String(run), String(episode)))
  if (!isFree || !isOwn) throw refusedTo(doing)
}

function checkLease({ world, worker }: LedgerGuard, change: LedgerChange, doing: string): void {
  hasOnly(change, ['set', 'add', 'remove', 'if'], doing)
  namesOnly(change.set, ['holder', 'expires_at'], doing)
  namesOnly(change.add, ['token'], doing)
  const { holder, expires_at } = change.set ?? {}
  const isShort = isAmount(expires_at) && expires_at <= world.clock.now() + longestLease
  const isRelease = expires_at === 0 && holder === undefined && equalTo(change.if, 'token') !== undefined
  removesOnly(change, isRelease ? ['holder'] : [], doing)
  const isTake = holder === worker.name && change.add?.token === 1 && (change.if ?? []).length > 0
  if (!isShort || !(isRelease || isTake)) throw refusedTo(doing)
}

function equalTo(conditions: LedgerCondition[] = [], attribute: string) {
  for (const one of conditions) if (one.is === 'equal' && one.attribute === attribute) return one.value
  return undefined
}
