import type { Ledger, Objects, World } from '../../../shared/core/world/ports.ts'

/** After which change of the world a process dies, and whether that one is still made. */
export interface Death {
  changes: number
  made: boolean
}

/** The same world, seen by a process that dies: from then on nothing it does has an effect. */
export function killable(world: World, { changes, made }: Death) {
  let left = changes

  function change<Result>(make: () => Promise<Result>): Promise<Result> {
    left -= 1
    if (left > 0) return make()
    return left === 0 && made ? make().then(dead) : dead()
  }

  function look<Result>(make: () => Promise<Result>): Promise<Result> {
    return left > 0 ? make() : dead()
  }

  const objects: Objects = {
    put: (...given) => change(() => world.objects.put(...given)),
    delete: (...given) => change(() => world.objects.delete(...given)),
    get: (...given) => look(() => world.objects.get(...given)),
    head: (...given) => look(() => world.objects.head(...given)),
    list: (...given) => look(() => world.objects.list(...given)),
    sign: (...given) => look(() => world.objects.sign(...given)),
  }
  const ledger: Ledger = {
    update: (...given) => change(() => world.ledger.update(...given)),
    transact: (...given) => change(() => world.ledger.transact(...given)),
    get: (...given) => look(() => world.ledger.get(...given)),
    query: (...given) => look(() => world.ledger.query(...given)),
  }
  return { ...world, objects, ledger, changesLeft: () => left }
}

async function dead(): Promise<never> {
  throw new Error('killed')
}
