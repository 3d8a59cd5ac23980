import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Host, Hosts } from '../../../../shared/core/world/ports.ts'
import { atOnce, type ContractWorld, type OpenWorld, uniqueName } from './contract-world.ts'

export interface HostImages {
  /** A host like `greeting-host.ts` beside this file: it answers every request with what its GREETING is. */
  greeting: string
  /** A host that ends before it listens. */
  broken: string
}

/** What not every stand-in of real hosts can show, with the reason, which is printed. */
export interface HostsNotShown {
  /** That a host's program runs and answers. */
  containers?: string
}

/** What every driver's hosts promise. */
export function describeHostsContract(
  name: string,
  openWorld: OpenWorld,
  images: HostImages,
  notShown: HostsNotShown = {},
): void {
  describe(`hosts of ${name}`, () => {
    let opened: ContractWorld
    let hosts: Hosts

    beforeAll(async () => {
      opened = await openWorld()
      hosts = opened.world.hosts
    })
    afterAll(() => opened.dispose())

    const launch = (greeting: string, token = uniqueName()) =>
      hosts.launch({ image: images.greeting, token, environment: { GREETING: greeting } })

    /** Describes the host until it has left `starting`. */
    async function settled({ id }: Host): Promise<Host> {
      for (;;) {
        const [host] = await hosts.describe([id])
        if (host === undefined) throw new Error('A launched host is known.')
        if (host.status !== 'starting') return host
        await opened.world.clock.sleep(50)
      }
    }

    async function ask({ address }: Host): Promise<string> {
      return (await fetch(address ?? '')).text()
    }

    test('a host comes to run, and has an address then', async () => {
      const host = await settled(await launch('good morning'))
      expect(host).toMatchObject({ image: images.greeting, status: 'running', reason: null })
      expect(host.address).toMatch(/^http:\/\/[\d.]+:\d+$/)
      await hosts.stop(host.id, { grace: 5 })
    })

    test('one token launches one host, also at once', async () => {
      const token = uniqueName()
      const launched = await atOnce(5, (index) => launch(`hello ${index}`, token))
      const again = await launch('later', token)
      expect(new Set([...launched, again].map(({ id }) => id)).size).toBe(1)
      expect((await hosts.list()).filter(({ id }) => id === again.id)).toHaveLength(1)
      await hosts.stop(again.id, { grace: 5 })
    })

    test('several hosts run side by side', async () => {
      const running = await Promise.all(
        ['one', 'two'].map(async (greeting) => settled(await launch(greeting))),
      )
      const ids = running.map(({ id }) => id)
      expect((await hosts.list()).map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
      expect((await hosts.describe(ids)).map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
      await Promise.all(ids.map((id) => hosts.stop(id, { grace: 5 })))
    })

    test('a stopped host is described as stopped, and listed no more', async () => {
      const host = await settled(await launch('bye'))
      await hosts.stop(host.id, { grace: 5 })
      expect(await settled(host)).toMatchObject({
        status: 'stopped',
        address: null,
        reason: expect.any(String),
      })
      expect((await hosts.list()).map(({ id }) => id)).not.toContain(host.id)
      await hosts.stop(host.id)
    })

    test('a token answers its host when that has stopped', async () => {
      const token = uniqueName()
      const host = await settled(await launch('once', token))
      await hosts.stop(host.id, { grace: 5 })
      await settled(host)
      expect(await launch('again', token)).toMatchObject({ id: host.id, status: 'stopped' })
    })

    test('unknown hosts are nowhere, and stopping one is fine', async () => {
      expect(await hosts.describe([uniqueName()])).toEqual([])
      await hosts.stop(uniqueName())
    })

    test('an unknown image is refused', async () => {
      await expect(hosts.launch({ image: uniqueName(), token: uniqueName() })).rejects.toThrow()
    })

    if (notShown.containers !== undefined) {
      console.log(`not shown: ${notShown.containers}`)
      return
    }

    test('hosts run with their environment, answer at their addresses, and do not when they have stopped', async () => {
      const running = await Promise.all(
        ['one', 'two'].map(async (greeting) => settled(await launch(greeting))),
      )
      expect(await Promise.all(running.map(ask))).toEqual(['one', 'two'])
      await Promise.all(running.map(({ id }) => hosts.stop(id, { grace: 5 })))
      for (const host of running) await expect(ask(host)).rejects.toThrow()
    })

    test('a host that ends before it listens is stopped, with a reason', async () => {
      const host = await settled(await hosts.launch({ image: images.broken, token: uniqueName() }))
      expect(host).toMatchObject({ status: 'stopped', address: null, reason: expect.stringMatching(/./) })
    })
  })
}
