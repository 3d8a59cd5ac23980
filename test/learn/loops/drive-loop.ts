import {
  type Loop,
  type LoopRequest,
  type LoopRequestInput,
  loopRequestSchema,
} from '../../../shared/core/contracts/loop.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import type { LoopPorts } from '../../../shared/learn/loops/loop-ports.ts'
import { type NextLook, openLoops, type TenantLoops } from '../../../shared/learn/loops/open-loops.ts'
import { FakeService, type FakeSettings } from './fake-service.ts'

/** Loops of a world with a queue in memory, whose looks are made one after the other. */
export interface DrivenLoops {
  loops: TenantLoops
  queue: NextLook[]
}

export function openDrivenLoops(
  world: Pick<World, 'clock' | 'ledger' | 'objects'>,
  parts: LoopPorts,
  queue: NextLook[] = [],
): DrivenLoops {
  const send = async (next: NextLook) => void queue.push(next)
  return { loops: openLoops({ world, send, parts: () => parts }), queue }
}

/** Makes look after look until the queue is empty. @returns how many were made */
export async function driveLoops(
  { loops, queue }: DrivenLoops,
  { most = 1000, pause = async () => {} }: { most?: number; pause?: () => Promise<void> } = {},
): Promise<number> {
  for (let looks = 0; ; looks += 1) {
    const next = queue[0]
    if (next === undefined) return looks
    if (looks === most) throw new Error(`The loop has not ended after ${most} looks.`)
    // As a queue does: the message stays until its successor was sent.
    const more = await loops.handler.advance({ id: next.loop, look: next.look, isRepeated: false })
    queue.shift()
    queue.push(...more)
    await pause()
  }
}

export function loopRequest(rest: Partial<LoopRequestInput> = {}): LoopRequest {
  return loopRequestSchema.parse({
    recipe: 'rft',
    environment: 'textcraft',
    base: { registered: 'model-base' },
    experts: ['import-experts'],
    ...rest,
  })
}

/** A loop from its creation to where it ends or waits. */
export async function makeLoop(driven: DrivenLoops, request: LoopRequest): Promise<Loop> {
  const own = driven.loops.of('default')
  const { id } = await own.create(request)
  await driveLoops(driven)
  return own.get(id)
}

/** The least that a loop plays. */
export const oneRound = { settings: { rounds: 1 } }

/** A loop over a fake service, driven to where it ends or waits. `go` resumes it, with other limits where they are given. */
export async function driveNewLoop(
  world: World,
  rest: Partial<LoopRequestInput> = {},
  settings: FakeSettings = {},
) {
  const service = new FakeService(settings)
  const driven = openDrivenLoops(world, service.parts())
  const loop = await makeLoop(driven, loopRequest(rest))
  const own = driven.loops.of('default')
  const go = async (limits?: { cost?: number; time?: number }) => {
    await own.resume(loop.id, limits === undefined ? {} : { limits })
    await driveLoops(driven)
    return own.get(loop.id)
  }
  return { service, loop, own, go }
}
