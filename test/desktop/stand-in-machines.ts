import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { type Desktop, openDesktop } from '../../shared/environments/desktop/host/open-desktop.ts'

/** What may reset the machines. */
export const resetToken = 'Bearer of-the-hypervisor'

/** A desktop of ours at an address that stays, in the place of a virtual machine: off at first, and as new after each reset. */
export interface StandInMachine {
  readonly address: string
  /** How often it was reset. */
  resets: number
  /** The paths that were asked for since it was reset. */
  asked: string[]
  /** Whether its resets fail. */
  isBroken: boolean
  /** Called before a request is carried out. */
  onRequest: (path: string) => Promise<void>
  /** Ends it, as a crash does. */
  crash(): Promise<void>
}

export interface StandInMachines {
  machines: StandInMachine[]
  /** Where `machine=0` is posted to reset the first. */
  hook: string
  /** What a reset came upon that a session was still using. */
  disturbed: string[]
}

interface Parts extends StandInMachine {
  desktop: Desktop | null
  underWay: number
}

/** Until the test ends. */
export async function openStandInMachines(count: number): Promise<StandInMachines> {
  const parts = await Promise.all(Array.from({ length: count }, openMachine))
  const disturbed: string[] = []
  const hook = createServer(async (incoming, outgoing) => {
    const machine = parts[Number(new URLSearchParams(await text(incoming)).get('machine'))]
    if (machine === undefined || incoming.headers.authorization !== resetToken) {
      outgoing.writeHead(403).end()
      return
    }
    if (machine.underWay > 0) disturbed.push(machine.address)
    await machine.crash()
    if (machine.isBroken) {
      outgoing.writeHead(500).end()
      return
    }
    machine.desktop = await openDesktop({ log: () => undefined })
    machine.resets += 1
    machine.asked = []
    outgoing.end()
  })
  return { machines: parts, hook: `${await listen(hook)}/reset`, disturbed }
}

async function openMachine(): Promise<Parts> {
  const server = createServer((incoming, outgoing) => void forward(machine, incoming, outgoing))
  const machine: Parts = {
    address: await listen(server),
    resets: 0,
    asked: [],
    isBroken: false,
    desktop: null,
    underWay: 0,
    onRequest: async () => undefined,
    async crash() {
      const { desktop } = machine
      machine.desktop = null
      server.closeAllConnections()
      await desktop?.close()
    },
  }
  onTestFinished(() => machine.crash())
  return machine
}

async function forward(machine: Parts, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { url = '/', method, headers } = incoming
  machine.asked.push(url)
  await machine.onRequest(url)
  if (machine.desktop === null) {
    incoming.socket.destroy()
    return
  }
  machine.underWay += 1
  outgoing.once('close', () => {
    machine.underWay -= 1
  })
  const onward = request(`${machine.desktop.address}${url}`, { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
    answer.pipe(outgoing)
  })
  onward.once('error', () => incoming.socket.destroy())
  incoming.pipe(onward)
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
